import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Calendar, createCalendar } from "@/lib/calendar/calendar";
import type { Report, ReportedEvent } from "@/lib/calendar/event";
import { createEventStore, type EventStore } from "@/lib/calendar/event-store";
import { silentLog } from "@/lib/platform/log";
import { databaseKinds, openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);

function told(given: Partial<ReportedEvent>): ReportedEvent {
  return {
    ...{ key: null, timeMs: at("24T13:30"), zone: "America/New_York", certainty: "exact" },
    ...{ currency: "USD", title: "GDP q/q", impact: "high", forecast: "2.0%", previous: "1.8%" },
    ...given,
  };
}

describe.each(databaseKinds)("the calendar in the %s database", (kind) => {
  let testDatabase: TestDatabase;
  let store: EventStore;
  let calendar: Calendar;
  beforeAll(async () => {
    testDatabase = await openTestDatabase(kind);
    store = createEventStore(testDatabase.db);
    calendar = createCalendar(testDatabase.db, { log: silentLog });
  });
  afterAll(() => testDatabase.cleanup());

  const week = { fromMs: at("22T00:00"), toMs: at("28T23:59") };
  let provider = "";
  let poll = 0;
  async function tell(events: ReportedEvent[], more: Partial<Report> = {}) {
    const report = { stream: "primary", provider, origin: `poll ${++poll}`, atMs: at("22T10:00"), events } as const;
    const outcome = await store.report({ ...report, ...more });
    await calendar.refresh();
    return outcome;
  }
  const rows = () => calendar.events.map(({ event }) => event).filter((event) => event.provider === provider);

  test("keeps a row's id through polls, figures, a later title's release and a moved date", async () => {
    provider = "moving";
    await tell([told({})], { complete: week });
    const [first] = rows();
    expect(first?.id).toMatch(/^[\da-f]{16}$/);
    expect(await tell([told({})], { complete: week })).toEqual({ created: 0, changed: 0, withdrawn: 0 });
    await tell([told({ forecast: "2.1%" })], { complete: week });
    await tell([told({ forecast: "2.1%", timeMs: at("25T13:30") })], { complete: week });
    expect(rows()).toMatchObject([{ id: first?.id, forecast: "2.1%", timeMs: at("25T13:30") }]);
    const changes = (await calendar.readChanges([first?.id ?? ""])).get(first?.id ?? "");
    expect(changes).toMatchObject([
      { field: "forecast", before: "2.0%", after: "2.1%", origin: "poll 3", atMs: at("22T10:00") },
      { field: "time", before: "2026-11-24T13:30:00.000Z", after: "2026-11-25T13:30:00.000Z", origin: "poll 4" },
    ]);
  });

  test("hides what a complete report no longer lists, and gives it its id back when it returns", async () => {
    provider = "absent";
    await tell([told({}), told({ title: "PMI" })], { complete: week });
    const id = rows().find(({ title }) => title === "PMI")?.id;
    await tell([told({})], { complete: week });
    expect(rows()).toHaveLength(1);
    await tell([told({}), told({ title: "PMI", timeMs: at("26T09:00") })], { complete: week });
    expect(rows().find(({ title }) => title === "PMI")?.id).toBe(id);
  });

  test("hides nothing on the word of a partial report, nor what is already past", async () => {
    provider = "partial";
    await tell([told({}), told({ title: "PMI", timeMs: at("22T08:00") })]);
    await tell([told({ title: "Sales" })]);
    expect(rows()).toHaveLength(3);
    await tell([told({}), told({ title: "Sales" })], { complete: week });
    expect(rows()).toHaveLength(3);
  });

  test("takes a figure once, corrects it, and never takes it back", async () => {
    provider = "figures";
    await tell([told({ key: "7", actual: null, seriesId: "gdp" })]);
    await tell([told({ key: "7", actual: "2.2%" })]);
    await tell([told({ key: "7", actual: null })]);
    await tell([told({ key: "7", actual: "2.3%", title: "GDP", timeMs: at("28T13:30") })]);
    expect(rows()).toMatchObject([{ actual: "2.3%", seriesId: "gdp", title: "GDP", timeMs: at("28T13:30") }]);
  });

  test("never keeps an actual or a series for a secondary row", async () => {
    provider = "second";
    await tell([told({ actual: "1%", seriesId: "x" })], { stream: "secondary" });
    await tell([told({ actual: "2%", seriesId: "x", forecast: "3%" })], { stream: "secondary" });
    expect(rows()).toMatchObject([{ actual: null, seriesId: null, forecast: "3%" }]);
  });

  test("tells two rows of one title and day apart", async () => {
    provider = "speeches";
    const speeches = [told({ title: "Speech" }), told({ title: "Speech", timeMs: at("24T18:00") })];
    await tell(speeches, { complete: week });
    const ids = rows().map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    await tell([...speeches].reverse(), { complete: week });
    expect(rows().map(({ id }) => id)).toEqual(ids);
  });

  test("shows the same to whoever joins later", async () => {
    const other = createCalendar(testDatabase.db, { log: silentLog });
    await other.refresh();
    expect(other.events.map(({ event }) => event)).toEqual(calendar.events.map(({ event }) => event));
  });

  test("hides everything of a provider that is switched off", async () => {
    provider = "moving";
    expect(await store.withdraw("primary", provider, at("22T11:00"), "settings")).toBe(1);
    await calendar.refresh();
    expect(rows()).toEqual([]);
  });
});
