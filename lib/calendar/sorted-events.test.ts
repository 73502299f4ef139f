import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CalendarEvent, IMPACTS, STREAMS } from "@/lib/calendar/event";
import { createTestEvent } from "@/lib/calendar/event.fixture";
import { applyChanges, type Entry, type EventQuery, queryEvents } from "@/lib/calendar/sorted-events";
import { manyRuns } from "@/lib/text/property-runs.fixture";
import { SECOND_MS } from "@/lib/time/units";

const titles = ["CPI (MoM) (Oct)", "CPI m/m", "Unemployment Rate", "Retail Sales 100%", "a_b", "Ärzte", "ISM \\ PMI"];

const someEvents = fc
  .array(
    fc.record({
      timeMs: fc.integer({ min: -40, max: 40 }).map((step) => step * 30 * SECOND_MS),
      stream: fc.constantFrom(...STREAMS),
      currency: fc.constantFrom("USD", "EUR", "JPY"),
      impact: fc.constantFrom(...IMPACTS),
      title: fc.constantFrom(...titles),
      withdrawn: fc.constantFrom(false, false, false, true),
    }),
    { maxLength: 60 },
  )
  .map((list) => list.map(createTestEvent));

const someQuery: fc.Arbitrary<EventQuery> = fc.record({
  fromMs: fc.integer({ min: -1_300, max: 1_300 }).map((seconds) => seconds * SECOND_MS),
  toMs: fc.integer({ min: -1_300, max: 1_300 }).map((seconds) => seconds * SECOND_MS),
  newestFirst: fc.boolean(),
  currencies: fc.option(fc.subarray(["USD", "EUR", "GBP"]).map((codes) => new Set(codes))),
  impact: fc.option(fc.constantFrom(...IMPACTS)),
  search: fc.option(fc.constantFrom("cpi", "CPI M", "100%", "_", "%", "äRZ", "\\", "rate")),
  stream: fc.option(fc.constantFrom(...STREAMS)),
  offset: fc.integer({ min: 0, max: 70 }),
  limit: fc.integer({ min: 1, max: 70 }),
});

function toSorted(events: readonly CalendarEvent[]): readonly Entry[] {
  return applyChanges([], new Map(), events);
}

/** The same result from a simple linear search. */
function matching(events: readonly CalendarEvent[], query: EventQuery): CalendarEvent[] {
  return events.filter(
    (event) =>
      !event.withdrawn &&
      event.timeMs >= query.fromMs &&
      event.timeMs <= query.toMs &&
      (query.stream === null || event.stream === query.stream) &&
      (query.impact === null || event.impact === query.impact) &&
      (query.currencies === null || query.currencies.has(event.currency)) &&
      (query.search === null || event.title.toLowerCase().includes(query.search.toLowerCase())),
  );
}

const listIds = (entries: readonly Entry[]) => entries.map(({ event }) => event.id);
const runs = { numRuns: manyRuns(2_000) };

describe("a page of the calendar", () => {
  test("counts all matches, and has more while offset + limit < total", () => {
    fc.assert(
      fc.property(someEvents, someQuery, (events, query) => {
        const page = queryEvents(toSorted(events), query);
        expect(page.total).toBe(matching(events, query).length);
        expect(page.hasMore).toBe(query.offset + query.limit < page.total);
      }),
      runs,
    );
  });

  test("has a combined total equal to the primary total plus the secondary total", () => {
    fc.assert(
      fc.property(someEvents, someQuery, (events, query) => {
        const sorted = toSorted(events);
        const total = (stream: EventQuery["stream"]) => queryEvents(sorted, { ...query, stream }).total;
        expect(total("primary") + total("secondary")).toBe(total(null));
      }),
      runs,
    );
  });

  test("contains, over pages of any size, every match once in one order, without hidden twins", () => {
    fc.assert(
      fc.property(someEvents, someQuery, (events, query) => {
        const sorted = toSorted(events);
        const seen: Entry[] = [];
        for (let offset = 0, more = true; more; offset += query.limit) {
          const page = queryEvents(sorted, { ...query, offset });
          seen.push(...page.shown);
          more = page.hasMore;
        }
        const ids = new Set(listIds(seen));
        expect(ids.size).toBe(seen.length);
        const missing = matching(events, query).filter(({ id }) => !ids.has(id));
        if (query.stream !== null) expect(missing).toEqual([]);
        for (const event of missing) {
          const twin = sorted.find((entry) => entry.event === event)?.twin;
          expect(event.stream).toBe("secondary");
          expect(ids.has(twin?.event.id ?? "")).toBe(true);
        }
      }),
      runs,
    );
  });

  test("is sorted from old to new, or in the reverse order", () => {
    fc.assert(
      fc.property(someEvents, someQuery, (events, query) => {
        const sorted = toSorted(events);
        const whole = { ...query, offset: 0, limit: 500 };
        const forth = queryEvents(sorted, { ...whole, newestFirst: false }).shown;
        const back = queryEvents(sorted, { ...whole, newestFirst: true }).shown;
        expect(listIds(back)).toEqual(listIds(forth).reverse());
        const times = forth.map(({ event }) => event.timeMs);
        expect(times).toEqual([...times].sort((a, b) => a - b));
      }),
      runs,
    );
  });

  test("hides a secondary twin only if its primary is on the same page", () => {
    const primary = createTestEvent({ stream: "primary", title: "CPI (MoM) (Oct)" });
    const secondary = createTestEvent({ stream: "secondary", title: "CPI m/m", seriesId: null });
    const sorted = toSorted([primary, secondary]);
    const all = { fromMs: 0, toMs: primary.timeMs, newestFirst: false, offset: 0, limit: 100 };
    const free = { currencies: null, impact: null, search: null, stream: null };
    expect(queryEvents(sorted, { ...all, ...free })).toMatchObject({ shown: [{ event: primary }], total: 2 });
    const pages = [0, 1].flatMap((offset) => queryEvents(sorted, { ...all, ...free, offset, limit: 1 }).shown);
    expect(new Set(listIds(pages))).toEqual(new Set([primary.id, secondary.id]));
  });
});

describe("applyChanges", () => {
  test("returns the same list as reading all events again", () => {
    fc.assert(
      fc.property(
        someEvents,
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: -40, max: 40 }), fc.boolean())),
        (events, edits) => {
          const byId = new Map<string, Entry>();
          let sorted = applyChanges([], byId, events);
          const now = new Map(events.map((event) => [event.id, event]));
          for (const [pick, step, withdrawn] of events.length === 0 ? [] : edits) {
            const before = [...now.values()][pick % now.size] as CalendarEvent;
            const after = { ...before, timeMs: step * 30 * SECOND_MS, withdrawn };
            now.set(after.id, after);
            sorted = applyChanges(sorted, byId, [after]);
          }
          const expected = toSorted([...now.values()]);
          expect(listIds(sorted)).toEqual(listIds(expected));
          expect(sorted.map(({ twin }) => twin?.event.id)).toEqual(expected.map(({ twin }) => twin?.event.id));
          expect(byId.size).toBe(sorted.length);
        },
      ),
      { numRuns: 500 },
    );
  });
});
