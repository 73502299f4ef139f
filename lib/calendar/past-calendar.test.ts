import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createCalendar } from "@/lib/calendar/calendar";
import type { ReportedEvent } from "@/lib/calendar/event";
import { createEventStore } from "@/lib/calendar/event-store";
import {
  type PastCalendar,
  PastCalendars,
  readPastCalendar,
  type WholePastCalendar,
} from "@/lib/calendar/past-calendar";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const RELEASE = Date.parse("2026-03-06T13:30:00Z");

function createEvent(title: string, timeMs: number, more: Partial<ReportedEvent> = {}): ReportedEvent {
  const fields = { zone: "America/New_York", certainty: "exact", currency: "USD", impact: "high" } as const;
  return { key: title, timeMs, title, ...fields, ...more };
}

describe("the calendar of the past", () => {
  const window = { fromMs: RELEASE - DAY_MS, toMs: RELEASE + DAY_MS };
  const query = {
    ...window,
    ...{ newestFirst: false, currencies: null, impact: null, search: null, stream: null, offset: 0, limit: 100 },
  };
  /** The page that the calendar answered when a moment passed, by that moment. */
  const live = new Map<number, unknown>();
  const describePage = (calendar: Pick<PastCalendar, "query">) => {
    const { shown, total } = calendar.query(query);
    return { total, shown: shown.map(({ event }) => event) };
  };
  let present: ReturnType<typeof createCalendar>;
  let read: (atMs: number) => ReturnType<typeof readPastCalendar>;

  beforeAll(async () => {
    const { db } = testDatabase;
    const store = createEventStore(db);
    const calendar = createCalendar(db, { log: silentLog });
    present = calendar;
    read = (atMs) => readPastCalendar(db.pool, calendar, atMs, window);
    const report = async (atMs: number, events: ReportedEvent[], complete?: typeof window) => {
      const from = { stream: "primary", provider: "test", origin: "a file", atMs } as const;
      await store.report({ ...from, events, ...(complete === undefined ? {} : { complete }) });
      await calendar.refresh();
      live.set(atMs, describePage(calendar));
    };
    const payrolls = (more: Partial<ReportedEvent>) => createEvent("Nonfarm Payrolls", RELEASE, more);
    await report(RELEASE - 5 * DAY_MS, [payrolls({ forecast: "180K", previous: "150K" })]);
    await report(RELEASE - 3 * DAY_MS, [payrolls({ forecast: "175K" }), createEvent("Speech", RELEASE + 2 * DAY_MS)]);
    await report(RELEASE - 2 * HOUR_MS, [payrolls({ forecast: "170K", previous: "155K" })]);
    await report(RELEASE - HOUR_MS, [
      payrolls({}),
      createEvent("Speech", RELEASE + HOUR_MS, { title: "Press conference" }),
    ]);
    await report(RELEASE + 2 * SECOND_MS, [payrolls({ actual: "212K", revised: "160K" })]);
    await report(RELEASE + MINUTE_MS, [payrolls({ actual: "213K" })]);
    await report(RELEASE + 2 * MINUTE_MS, [payrolls({})], { fromMs: RELEASE - HOUR_MS, toMs: RELEASE + 2 * HOUR_MS });
    await report(RELEASE + HOUR_MS, [createEvent("Late", RELEASE - HOUR_MS, { actual: "1" })]);
  });

  test("A moment has the events, dates and figures that had been reported until then", async () => {
    const moments = [...live.keys()].sort((a, b) => a - b);
    for (const [at, momentMs] of moments.entries()) {
      for (const atMs of [momentMs, (moments[at + 1] ?? momentMs + DAY_MS) - 1]) {
        const calendar = (await read(atMs)) as PastCalendar;
        expect({ atMs, ...describePage(calendar) }).toEqual({ atMs, ...(live.get(momentMs) as object) });
      }
    }
  });

  test("A figure is null before its receipt, and a correction is not seen before its own", async () => {
    const readActual = async (atMs: number) => ((await read(atMs)) as PastCalendar).query(query).shown[0]?.event.actual;
    expect(await readActual(RELEASE + SECOND_MS)).toBeNull();
    expect(await readActual(RELEASE + 2 * SECOND_MS)).toBe("212K");
    expect(await readActual(RELEASE + MINUTE_MS - 1)).toBe("212K");
    expect(await readActual(RELEASE + MINUTE_MS)).toBe("213K");
    const calendar = (await read(RELEASE + SECOND_MS)) as PastCalendar;
    const { id = "" } = calendar.query(query).shown[0]?.event ?? {};
    const changes = (await calendar.readChanges([id])).get(id) ?? [];
    expect(changes.map(({ field, after }) => [field, after])).toEqual([
      ["forecast", "175K"],
      ["forecast", "170K"],
      ["previous", "155K"],
    ]);
  });

  test("Whole calendars of the past are those of their moments, and seconds between two changes share one", async () => {
    const calendars = new PastCalendars(testDatabase.db.pool, present);
    const open = async (atMs: number) => (await calendars.open(atMs)) as WholePastCalendar;
    const moments = [...live.keys()].sort((a, b) => a - b);
    const revisions = new Set<number>();
    // Backwards as well, so that none is answered with what a later one has kept.
    for (const momentMs of [...moments, ...moments.toReversed()]) {
      const calendar = await open(momentMs);
      expect({ momentMs, ...describePage(calendar) }).toEqual({ momentMs, ...(live.get(momentMs) as object) });
      const nextMs = moments.find((each) => each > momentMs) ?? momentMs + DAY_MS;
      expect(await open(nextMs - 1)).toBe(calendar);
      expect(calendar.find(calendar.events[0]?.event.id ?? "")).toBe(calendar.events[0]);
      revisions.add(calendar.revision);
    }
    expect(revisions.size).toBeGreaterThanOrEqual(moments.length);
    expect(Math.max(...revisions)).toBeLessThan(0);
  });

  test("Before the first report there is its moment in place of a calendar", async () => {
    expect(await read(RELEASE - 5 * DAY_MS - 1)).toBe(RELEASE - 5 * DAY_MS);
  });
});
