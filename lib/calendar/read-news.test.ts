import { describe, expect, test } from "vitest";
import type { CalendarEvent } from "@/lib/calendar/event";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import { listReleaseCurrencies, type NewsQuery, readNews } from "@/lib/calendar/read-news";
import { applyChanges } from "@/lib/calendar/sorted-events";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const RELEASE = Date.UTC(2026, 10, 18, 13, 30);
const minutes = (count: number) => RELEASE + count * MINUTE_MS;
const QUERY: NewsQuery = {
  ...{ currencies: ["EUR", "USD"], impacts: ["high"] },
  ...{ beforeMs: 15 * MINUTE_MS, afterMs: 30 * MINUTE_MS },
};
const at = (count: number, rest: Partial<CalendarEvent> = {}) => createTestEvent({ timeMs: minutes(count), ...rest });

function read(events: readonly CalendarEvent[], atMs: number, query: Partial<NewsQuery> = {}) {
  return readNews(applyChanges([], new Map(), events), { ...QUERY, ...query }, atMs);
}

describe("A window around a release", () => {
  test("begins at its first moment and is over at the moment that is its end", () => {
    const current = (count: number, offsetMs = 0) => read([at(0)], minutes(count) + offsetMs).current !== null;
    expect([current(-15, -1), current(-15), current(0), current(30, -1), current(30)]).toEqual([
      false,
      true,
      true,
      true,
      false,
    ]);
    expect(read([at(0)], RELEASE).current).toMatchObject({ fromMs: minutes(-15), toMs: minutes(30) });
    expect(read([at(0)], minutes(-60)).next).toMatchObject({ fromMs: minutes(-15), toMs: minutes(30) });
    expect(read([at(0)], minutes(30)).next).toBeNull();
  });

  test("includes each later release whose window overlaps it or begins at its end", () => {
    const chain = [at(0), at(0, { title: "Core CPI" }), at(45), at(91)];
    const { current, next } = read(chain, minutes(1));
    expect(current).toMatchObject({ fromMs: minutes(-15), toMs: minutes(75) });
    expect(current?.events).toHaveLength(3);
    expect(next).toMatchObject({ fromMs: minutes(76), events: [{ timeMs: minutes(91) }] });
    expect(read(chain, minutes(75))).toMatchObject({ current: null, next: { fromMs: minutes(76) } });
  });

  test("is of the asked currencies and impacts alone, and of a release that two sources report once", () => {
    const events = [
      at(0, { currency: "JPY" }),
      at(0, { impact: "medium" }),
      at(5),
      at(5, { stream: "secondary", seriesId: null, title: "CPI m/m" }),
    ];
    expect(read(events, RELEASE).current?.events.map(({ stream }) => stream)).toEqual(["primary"]);
    expect(read(events, RELEASE, { impacts: ["medium"] }).current?.events).toHaveLength(1);
    expect(read(events, RELEASE, { currencies: ["JPY"] }).current?.events).toHaveLength(1);
  });

  test("is also of a release to which only the second source gives the impact", () => {
    const events = [at(0, { impact: "medium" }), at(0, { stream: "secondary", seriesId: null, title: "CPI m/m" })];
    expect(read(events, RELEASE).current?.events.map(({ stream }) => stream)).toEqual(["secondary"]);
  });
});

describe("What the calendar does not know", () => {
  test("is everything from the day after its last event on, of any currency", () => {
    const later = at(0, { currency: "NZD", impact: "low", timeMs: RELEASE + 6 * HOUR_MS });
    expect(read([at(0), later], RELEASE).listedUntilMs).toBe(Date.UTC(2026, 10, 19));
    expect(read([at(0)], RELEASE + 32 * DAY_MS).listedUntilMs).toBeNull();
  });

  test("is a currency of which it lists nothing, even nothing of low impact", () => {
    const events = [at(0, { impact: "low" }), at(0, { currency: "JPY" })];
    expect(read(events, RELEASE).unlisted).toEqual(["EUR"]);
    expect(read([], RELEASE).unlisted).toEqual(["EUR", "USD"]);
  });

  test("is the hour of an event of the day", () => {
    const midnight = Date.UTC(2026, 10, 18, 5);
    const tentative = createTestEvent({ timeMs: midnight, certainty: "tentative" });
    const untimed = (atMs: number) => read([tentative], atMs).untimed.length;
    const whole = [midnight - 15 * MINUTE_MS, midnight + DAY_MS + 30 * MINUTE_MS - 1].map(untimed);
    expect(whole).toEqual([1, 1]);
    expect([midnight - 15 * MINUTE_MS - 1, midnight + DAY_MS + 30 * MINUTE_MS].map(untimed)).toEqual([0, 0]);
    expect(read([tentative], midnight)).toMatchObject({ current: null, next: null });
  });
});

test("Releases are those of a pair's currencies, and of what metals, coins and shares are quoted in", () => {
  const list = (base: string | null, quote: string | null) => listReleaseCurrencies({ base, quote }).join();
  expect([list("EUR", "USD"), list("USD", "CNH"), list("XAU", "USD"), list(null, "GBX"), list("ETH", "BTC")]).toEqual([
    "EUR,USD",
    "USD,CNY",
    "USD",
    "GBP",
    "",
  ]);
});
