import ICAL from "ical.js";
import { describe, expect, test } from "vitest";
import { expectError, keys, place, readData, type Reply, send } from "@/e2e/api/server";
import { withAccess } from "@/e2e/support/access";
import { OPERATOR_CLI } from "@/lib/access/actor";
import { DAY_MS } from "@/lib/time/units";

interface Row {
  readonly id: string;
  readonly datetime: string;
  readonly currency: string;
  readonly event: string;
  readonly actual: string | null;
  readonly certainty: string;
}

const today = Math.floor(Date.now() / DAY_MS) * DAY_MS;
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);
/** The thirty days of the feed, in parts that each fit in one answer of /v1/calendar. */
const spans = [-7, 3, 13].map((day) => {
  const [from, to] = [today + day * DAY_MS, today + (day + 10) * DAY_MS];
  return `from=${iso(from)}&to=${iso(day === 13 ? to : to - 1000)}`;
});

/** Parses a feed with an independent parser. Returns the events by id. */
function parseEvents({ status, text }: Pick<Reply, "status" | "text">) {
  expect({ status, head: text.slice(0, 15) }).toEqual({ status: 200, head: "BEGIN:VCALENDAR" });
  const parsed = new ICAL.Component(ICAL.parse(text) as unknown[]);
  return new Map(
    parsed.getAllSubcomponents("vevent").map((component) => {
      const value = (name: string) => component.getFirstPropertyValue(name)?.toString() ?? "";
      const start = component.getFirstPropertyValue("dtstart") as ICAL.Time;
      return [value("uid").replace(/@.*/, ""), { value, start }] as const;
    }),
  );
}

const feed = async (search = "", key: string | null = keys.full) => {
  const reply = await send(`/v1/calendar.ics?${search}`, { key });
  return { reply, events: parseEvents(reply) };
};
/** Reads the path of the feed's address that a key gets. */
const readSubscription = async (key: string, search = "") => {
  const { url } = readData<{ url: string }>(await send(`/v1/calendar/subscription?${search}`, { key }));
  const { pathname, search: query, searchParams } = new URL(url);
  expect(url).not.toContain(key);
  expect(pathname).toBe("/v1/calendar.ics");
  return { path: pathname + query, token: searchParams.get("token") ?? "", searchParams };
};

test("The feed has the events of thirty days with their ids, times and figures, without twins", async () => {
  const { reply, events } = await feed();
  expect(reply.headers.get("content-type")).toBe("text/calendar; charset=utf-8");
  expect(reply.headers.get("x-data-mode")).toBe("simulated");
  const parts = await Promise.all(spans.map((span) => send(`/v1/calendar?${span}&limit=500&include=certainty`)));
  const rows = parts.flatMap((part) => readData<{ events: Row[] }>(part).events);
  expect(rows.length).toBeGreaterThan(50);
  expect([...events.keys()].sort()).toEqual(rows.map(({ id }) => id).sort());
  for (const row of rows) {
    const event = events.get(row.id);
    expect(event?.value("summary")).toBe(`${row.currency} ${row.event}${row.actual === null ? "" : `: ${row.actual}`}`);
    expect(event?.start.isDate).toBe(row.certainty === "all_day");
    if (row.certainty !== "all_day") expect(event?.start.toJSDate().getTime()).toBe(Date.parse(row.datetime));
    expect(event?.value("status")).toBe(row.certainty === "tentative" ? "TENTATIVE" : "CONFIRMED");
  }
});

test("The feed has the filters of the calendar and refuses the same values", async () => {
  const { events } = await feed("currencies=usd&impact=high&source=primary");
  expect(events.size).toBeGreaterThan(0);
  for (const { value } of events.values()) {
    expect(value("summary")).toMatch(/^USD /);
    expect(value("priority")).toBe("1");
  }
});

test("The token of a key opens the feed and nothing else", async () => {
  const { path, token } = await readSubscription(keys.starter, "currencies=EUR&q=rate");
  const events = parseEvents(await send(path, { key: null }));
  for (const { value } of events.values()) expect(value("summary")).toMatch(/^EUR .*rate/i);
  for (const target of ["/v1/calendar", "/v1/calendar/subscription", "/v1/quote"]) {
    expectError(await send(`${target}?symbol=EURUSD&token=${token}`, { key: null }), 401, "MISSING_API_KEY");
    expectError(await send(`${target}?symbol=EURUSD`, { key: token }), 401, "INVALID_API_KEY");
  }
  expect((await readSubscription(keys.starter)).token).toBe(token);
});

test("The feed is refused without a token or with a wrong one", async () => {
  expectError(await send("/v1/calendar.ics", { key: null }), 401, "MISSING_API_KEY");
  expectError(await send("/v1/calendar.ics?token=", { key: null }), 401, "MISSING_API_KEY");
  const { token } = await readSubscription(keys.full);
  const changed = token.slice(0, -2) + (token.endsWith("AA") ? "BB" : "AA");
  for (const other of [changed, "fxc_", "nonsense", keys.full, "%00"]) {
    expectError(await send(`/v1/calendar.ics?token=${other}`, { key: null }), 401, "INVALID_API_KEY");
  }
  const twice = await send(`/v1/calendar.ics?token=${token}&token=${token}`, { key: null });
  expectError(twice, 400, "VALIDATION_ERROR");
});

test("The feed ends when its key is revoked", async () => {
  const { id, secret } = await withAccess(place, async ({ accounts, keys: service }) => {
    const { id: accountId } = await accounts.create(
      { email: "diary@example.com", password: "long enough to do", plan: "payg" },
      OPERATOR_CLI,
    );
    return service.create({ accountId, label: "feed", scopes: ["quotes"] });
  });
  const { path } = await readSubscription(secret);
  expect(parseEvents(await send(path, { key: null })).size).toBeGreaterThan(0);
  await withAccess(place, ({ keys: service }) => service.revoke(id, OPERATOR_CLI));
  await expect.poll(async () => (await send(path, { key: null })).status).toBe(401);
  expectError(await send(path, { key: null }), 401, "API_KEY_DISABLED");
});

test("The feed obeys the allow-list of its key", async () => {
  expect(parseEvents(await send((await readSubscription(keys.hereOnly)).path, { key: null })).size).toBeGreaterThan(0);
});

describe("Plans", () => {
  test.each(["tool", "payg"] as const)(
    "give a %s key no actuals, even right after a key that has them",
    async (kind) => {
      const search = "currencies=usd,eur";
      const full = await feed(search);
      const released = [...full.events.values()].filter(({ value }) => value("description").startsWith("Actual"));
      expect(released.length).toBeGreaterThan(0);
      const { path } = await readSubscription(keys[kind], search);
      for (const reply of [
        await send(`/v1/calendar.ics?${search}`, { key: keys[kind] }),
        await send(path, { key: null }),
      ]) {
        expect(parseEvents(reply).size).toBe(full.events.size);
        expect(reply.text).not.toMatch(/Actual/);
        expect(reply.headers.get("etag")).not.toBe(full.reply.headers.get("etag"));
      }
    },
  );
});
