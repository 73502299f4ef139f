import { describe, expect, test } from "vitest";
import type * as z from "zod";
import { type DataOf, expectError, keys, readData, send } from "@/e2e/api/server";
import type { calendarReply, newsReply } from "@/lib/api/calendar/calendar-replies";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

type Page = DataOf<typeof calendarReply>;

const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);
const midnight = Math.floor(Date.now() / DAY_MS) * DAY_MS;
/** Thirty simulated days: half of them past. */
const span = `from=${iso(midnight - 15 * DAY_MS)}&to=${iso(midnight + 15 * DAY_MS)}`;

const page = async (search: string, key = keys.full) => {
  const reply = await send(`/v1/calendar?${search}`, { key });
  return readData<Page>(reply);
};
const total = async (search: string) => (await page(`${search}&limit=1`)).pagination.total;

test("/v1/calendar answers today and seven days, oldest first, marked as simulated", async () => {
  const reply = await send("/v1/calendar");
  const data = readData<Page>(reply);
  expect(data.range).toEqual({ from: iso(midnight), to: iso(midnight + 7 * DAY_MS) });
  expect(data.count).toBe(data.events.length);
  expect(data.events.length).toBeGreaterThan(10);
  const times = data.events.map(({ datetime }) => datetime);
  expect(times).toEqual([...times].sort());
  expect(reply.headers.get("x-data-mode")).toBe("simulated");
});

test("Only released events of the primary stream have actuals", async () => {
  const { events } = await page(`${span}&limit=500`);
  const released = events.filter(({ actual }) => actual !== null);
  expect(released.length).toBeGreaterThan(10);
  for (const event of released) {
    expect(event.source).toBe("primary");
    expect(Date.parse(event.datetime)).toBeLessThanOrEqual(Date.now());
  }
  for (const event of events) expect(event.series_id === null).toBe(event.source === "secondary");
});

test("The totals of both streams add up, and only events with a twin on the page are hidden", async () => {
  const [all, primary, secondary] = await Promise.all(
    ["", "&source=primary", "&source=secondary"].map((s) => total(span + s)),
  );
  expect(primary! + secondary!).toBe(all);
  const whole = await page(`${span}&limit=500`);
  expect(whole.count).toBeLessThan(whole.pagination.total);
  const ids: string[] = [];
  for (let offset = 0, more = true; more; offset += 37) {
    const { events, pagination } = await page(`${span}&source=secondary&limit=37&offset=${offset}`);
    expect(pagination).toEqual({ offset, limit: 37, total: secondary, has_more: offset + 37 < secondary! });
    ids.push(...events.map(({ id }) => id));
    more = pagination.has_more;
  }
  expect(new Set(ids).size).toBe(secondary);
});

test("Events can be filtered by currency, country, impact and a part of the title", async () => {
  const { events } = await page(`${span}&currencies=usd,%20Eur&country=JPY&impact=high&limit=500`);
  expect(new Set(events.map(({ currency }) => currency))).toEqual(new Set(["USD", "EUR"]));
  expect(new Set(events.map(({ impact }) => impact))).toEqual(new Set(["high"]));
  expect((await page(`${span}&country=jpy`)).events.every(({ currency }) => currency === "JPY")).toBe(true);
  expect((await page(`${span}&q=pAYROLLs`)).events.map(({ event }) => event).join()).toMatch(/Payrolls/);
  for (const literal of ["%25", "_", "%5C", "'"]) expect((await page(`${span}&q=${literal}`)).count).toBe(0);
});

test("next_hours and prev_hours count from now and override the dates", async () => {
  const back = await page("prev_hours=96&from=nonsense&to=");
  const times = back.events.map(({ datetime }) => datetime);
  expect(times).toEqual([...times].sort().reverse());
  const both = await page("prev_hours=96&next_hours=96");
  expect([...both.events].map(({ datetime }) => datetime).sort()).toEqual(both.events.map(({ datetime }) => datetime));
  expect(Date.parse(`${both.range.to}Z`) - Date.parse(`${both.range.from}Z`)).toBe(8 * DAY_MS);
});

test("An event has the same id in every call", async () => {
  expect((await page(span)).events.map(({ id }) => id)).toEqual((await page(span)).events.map(({ id }) => id));
});

test("Extra fields are added only with include", async () => {
  const search = `${span}&q=CPI&include=numeric,revised,certainty,history`;
  const { events } = await page(search);
  expect(events[0]).toMatchObject({ unit: "%", certainty: "exact", history: expect.any(Array) as unknown });
  expect(Object.keys((await page(span)).events[0] ?? {})).toHaveLength(10);
});

test("A news window has the releases of the symbol's currencies, and says whether it is now", async () => {
  const ask = async (search: string) => {
    const reply = await send(`/v1/calendar/window?${search}`);
    return readData<z.output<typeof newsReply>["data"]>(reply);
  };
  const day = await ask("symbol=eur/usd&before=1440&after=1440&impact=high,medium,low");
  expect(day).toMatchObject({ symbol: "EURUSD", currencies: ["EUR", "USD"] });
  const atMs = Date.parse(day.time);
  const around = `from=${iso(atMs - DAY_MS)}&to=${iso(atMs + DAY_MS)}`;
  const { events } = await page(`${around}&currencies=EUR,USD&limit=500`);
  const untimed = new Set(day.untimed.map(({ id }) => id));
  const hasTimed = events.some(({ id }) => !untimed.has(id));
  // On a weekend there may be none.
  expect(day.state).toBe(hasTimed ? "inside" : untimed.size > 0 ? "unknown" : "clear");
  expect((day.window?.events.length ?? 0) > 0).toBe(hasTimed);
  const near = await ask("currencies=usd,eur");
  expect(near).toMatchObject({ symbol: null, before: 15, after: 30, impacts: ["high"] });
  const nowMs = Date.parse(near.time);
  const { next } = near;
  expect(Date.parse(next?.from ?? "")).toBeGreaterThan(nowMs);
  expect(Date.parse(next?.events[0]?.datetime ?? "") - Date.parse(next?.from ?? "")).toBe(15 * MINUTE_MS);
  expect(await ask("currencies=TRY")).toMatchObject({ state: "unknown", calendar: { unlisted: ["TRY"] } });
});

describe("Plans", () => {
  test("include the calendar from pay as you go on, and are checked before the input", async () => {
    const reply = await send("/v1/calendar?from=nonsense", { key: keys.free });
    expectError(reply, 403, "PLAN_UPGRADE_REQUIRED");
    expect(reply.json).toMatchObject({ error: { current_plan: "free" } });
    const { events } = await page(`${span}&limit=500`, keys.starter);
    expect(events.some(({ actual }) => actual !== null)).toBe(true);
  });

  test.each(["tool", "payg"] as const)(
    "give a %s key no actuals, even right after a key that has them",
    async (kind) => {
      for (const search of [span, `${span}&include=numeric,history&limit=500`, "prev_hours=96"]) {
        await page(search, keys.full);
        const { events } = await page(search, keys[kind]);
        expect(events.every(({ actual }) => actual === null)).toBe(true);
        expect(JSON.stringify(events)).not.toMatch(/"actual_value":[^n]|"field":"actual"/);
      }
    },
  );
});

test("/v1/calendar refuses more than thirty days, with the requested number of days", async () => {
  await page("from=2026-11-01&to=2026-12-01T00:00:00");
  const reply = await send("/v1/calendar?from=2026-11-01&to=2026-12-01T00:00:01");
  expectError(reply, 400, "RANGE_TOO_LARGE");
  expect(reply.json).toMatchObject({ error: { requested_days: 31 } });
  expectError(await send("/v1/calendar?next_hours=720&prev_hours=1"), 400, "RANGE_TOO_LARGE");
  await page("next_hours=720");
});
