import { describe, expect, test } from "vitest";
import { readNextReleases, readReactions, readReleaseIds } from "@/features/symbols/read-releases";
import type { CalendarEvent } from "@/lib/calendar/event";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import type { Move } from "@/lib/calendar/measure-move";
import { applyChanges, type Entry } from "@/lib/calendar/sorted-events";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { Runtime } from "@/lib/runtime";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

const EURUSD = instrumentBySymbol.get("EURUSD") as Instrument;
const RELEASE = Date.UTC(2026, 10, 18, 13, 30);
const before = (months: number) => RELEASE - months * 28 * DAY_MS;
const at = (timeMs: number, rest: Partial<CalendarEvent> = {}) => createTestEvent({ timeMs, ...rest });

/** A calendar of these events, and moves whose reach is given by their time. */
function create(events: readonly CalendarEvent[], nowMs: number, reaches: ReadonlyMap<number, number> = new Map()) {
  const byId = new Map<string, Entry>();
  const entries = applyChanges([], byId, events);
  const read: number[] = [];
  const runtime = {
    calendar: { events: entries, find: (id: string) => byId.get(id) },
    marketNow: () => nowMs,
    moves: {
      read: async (_pair: Instrument, times: readonly number[]) => {
        read.push(...times);
        return times.map((timeMs) => {
          const reach = reaches.get(timeMs);
          return reach === undefined ? null : ({ reach, first: [], reference: 1.1 } as unknown as Move);
        });
      },
    },
  } as unknown as Runtime;
  return { runtime, read };
}

const history = [1, 2, 3].map((months) => at(before(months)));
const reaches = new Map([1, 2, 3].map((months) => [before(months), -10 * months]));
const next = (nowMs: number, events: readonly CalendarEvent[] = [...history, at(RELEASE)], known = reaches) =>
  readNextReleases(create(events, nowMs, known).runtime, EURUSD);

describe("The releases around now", () => {
  test("are those of high impact of the symbol, from an hour before until half an hour after", async () => {
    const count = async (minutes: number) => (await next(RELEASE + minutes * MINUTE_MS)).length;
    expect([await count(-62), await count(-60), await count(0), await count(29.9), await count(30)]).toEqual([
      0, 1, 1, 1, 0,
    ]);
    const others = [at(RELEASE, { currency: "JPY" }), at(RELEASE, { impact: "medium" })];
    expect(await next(RELEASE - MINUTE_MS, others)).toEqual([]);
  });

  test("have the median reach of earlier releases of the same event, or say how many there are", async () => {
    expect(await next(RELEASE - MINUTE_MS)).toMatchObject([{ usual: { pips: 20, n: 3 }, reference: null }]);
    expect(await next(RELEASE - MINUTE_MS, [...history.slice(1), at(RELEASE)])).toMatchObject([
      { usual: { pips: null, n: 2 } },
    ]);
    const other = history.map((event) => ({ ...event, seriesId: "usd-ppi" }));
    expect(await next(RELEASE - MINUTE_MS, [...other, at(RELEASE)])).toMatchObject([{ usual: { pips: null, n: 0 } }]);
  });

  test("do not count themselves, and have the price before them once they have happened", async () => {
    const known = new Map([...reaches, [RELEASE, 500]]);
    expect(await next(RELEASE + MINUTE_MS, undefined, known)).toMatchObject([
      { usual: { pips: 20, n: 3 }, reference: 1.1 },
    ]);
  });

  test("of one moment have the widest usual range among them", async () => {
    const quiet = { title: "Core CPI", seriesId: "usd-core" };
    const quietReaches = new Map([1, 2, 3].map((months) => [before(months) + MINUTE_MS, 1]));
    const earlier = [1, 2, 3].map((months) => at(before(months) + MINUTE_MS, quiet));
    const [both] = await next(
      RELEASE - MINUTE_MS,
      [...history, ...earlier, at(RELEASE, quiet), at(RELEASE)],
      new Map([...reaches, ...quietReaches]),
    );
    expect(both).toMatchObject({ events: [{ title: "CPI (MoM)" }, { title: "Core CPI" }], usual: { pips: 20 } });
  });
});

describe("The reactions to events", () => {
  const read = (events: readonly CalendarEvent[], nowMs: number, withActual = true) => {
    const { runtime, read: times } = create(events, nowMs, new Map([[RELEASE, 12]]));
    const ids = ["unknown", ...events.map(({ id }) => id)];
    return readReactions(runtime, EURUSD, { ids, withActual }).then((reactions) => ({ reactions, times }));
  };

  test("have the surprise as the calendar defines it, and none without the plan", async () => {
    const past = [1, 2, 3, 4, 5].map((months) => at(before(months), { actual: months % 2 ? "0.3%" : "0.1%" }));
    const event = at(RELEASE, { actual: "0.4%" });
    const last = async (withActual: boolean) =>
      (await read([...past, event], RELEASE + DAY_MS, withActual)).reactions.at(-1);
    expect(await last(true)).toMatchObject({ surprise: { text: "+0.2%", n: 5 }, move: { reach: 12 }, isWhole: true });
    expect((await last(true))?.surprise?.sigmas).toBeCloseTo(0.2 / Math.sqrt(0.012), 6);
    expect(await last(false)).toMatchObject({ surprise: null, move: { reach: 12 } });
  });

  test("are of the symbol's currencies only, and not measured before the release", async () => {
    const events = [at(RELEASE, { currency: "JPY" }), at(RELEASE, { certainty: "all_day" }), at(RELEASE)];
    const early = await read(events, RELEASE - MINUTE_MS);
    expect(early).toMatchObject({ reactions: [{ id: events[2]?.id, move: null, isWhole: false }], times: [] });
    expect((await read(events, RELEASE + MINUTE_MS)).times).toEqual([RELEASE]);
  });

  test("are read for one to ten ids", () => {
    const ids = (text: string) => readReleaseIds(new URLSearchParams(text));
    expect([ids(""), ids("ids="), ids("ids=a,b,a")]).toEqual([undefined, null, ["a", "b"]]);
    expect(ids(`ids=${Array.from({ length: 11 }, (_, at) => at).join()}`)).toBeNull();
  });
});
