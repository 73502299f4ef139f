import { afterAll, describe, expect, test } from "vitest";
import { createCalendar } from "@/lib/calendar/calendar";
import type { Report, ReportedEvent } from "@/lib/calendar/event";
import { createEventStore } from "@/lib/calendar/event-store";
import { readFence } from "@/lib/history/recording/lease.fixture";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const at = (time: string) => Date.parse(`2026-11-${time}:00Z`);

function createReported(given: Partial<ReportedEvent>): ReportedEvent {
  return {
    ...{ key: null, timeMs: at("24T13:30"), zone: "America/New_York", certainty: "exact" },
    ...{ currency: "USD", title: "GDP q/q", impact: "high", forecast: "2.0%", previous: "1.8%" },
    ...given,
  };
}

describe("the calendar", () => {
  const store = createEventStore(testDatabase.db);
  const calendar = createCalendar(testDatabase.db, { log: silentLog });

  const week = { fromMs: at("22T00:00"), toMs: at("28T23:59") };
  let provider = "";
  let poll = 0;
  async function apply(events: ReportedEvent[], more: Partial<Report> = {}) {
    const report = { stream: "primary", provider, origin: `poll ${++poll}`, atMs: at("22T10:00"), events } as const;
    const outcome = await store.report({ ...report, ...more });
    await calendar.refresh();
    return outcome;
  }
  const rows = () => calendar.events.map(({ event }) => event).filter((event) => event.provider === provider);

  test("keeps a row's id when it is reported again, its forecast changes or its date moves", async () => {
    provider = "moving";
    await apply([createReported({})], { complete: week });
    const [first] = rows();
    expect(first?.id).toMatch(/^[\da-f]{16}$/);
    expect(await apply([createReported({})], { complete: week })).toEqual({ created: 0, changed: 0, withdrawn: 0 });
    await apply([createReported({ forecast: "2.1%" })], { complete: week });
    await apply([createReported({ forecast: "2.1%", timeMs: at("25T13:30") })], { complete: week });
    expect(rows()).toMatchObject([{ id: first?.id, forecast: "2.1%", timeMs: at("25T13:30") }]);
    const changes = (await calendar.readChanges([first?.id ?? ""])).get(first?.id ?? "");
    expect(changes).toMatchObject([
      { field: "forecast", before: "2.0%", after: "2.1%", origin: "poll 3", atMs: at("22T10:00") },
      { field: "time", before: "2026-11-24T13:30:00.000Z", after: "2026-11-25T13:30:00.000Z", origin: "poll 4" },
    ]);
  });

  test("applies no report of a server that another one has taken over from", async () => {
    provider = "former";
    const fence = await readFence(testDatabase.db.pool);
    const report = { stream: "primary", provider, origin: "a server", atMs: at("22T10:00") } as const;
    const [former, next] = [fence - 1, fence].map((each) => createEventStore(testDatabase.db, each));
    await expect(former?.report({ ...report, events: [createReported({})] })).rejects.toThrow(LeaseLost);
    await expect(former?.withdraw("primary", provider, 0, "settings")).rejects.toThrow(LeaseLost);
    expect(await next?.report({ ...report, events: [createReported({})] })).toMatchObject({ created: 1 });
  });

  test("hides a row that a complete report no longer lists, and shows it with the same id when it returns", async () => {
    provider = "absent";
    await apply([createReported({}), createReported({ title: "PMI" })], { complete: week });
    const id = rows().find(({ title }) => title === "PMI")?.id;
    await apply([createReported({})], { complete: week });
    expect(rows()).toHaveLength(1);
    await apply([createReported({}), createReported({ title: "PMI", timeMs: at("26T09:00") })], { complete: week });
    expect(rows().find(({ title }) => title === "PMI")?.id).toBe(id);
  });

  test("hides no rows after a partial report, and no past rows", async () => {
    provider = "partial";
    await apply([createReported({}), createReported({ title: "PMI", timeMs: at("22T08:00") })]);
    await apply([createReported({ title: "Sales" })]);
    expect(rows()).toHaveLength(3);
    await apply([createReported({}), createReported({ title: "Sales" })], { complete: week });
    expect(rows()).toHaveLength(3);
  });

  test("stores a figure, replaces it by a correction, and never removes it", async () => {
    provider = "figures";
    await apply([createReported({ key: "7", actual: null, seriesId: "gdp" })]);
    await apply([createReported({ key: "7", actual: "2.2%" })]);
    await apply([createReported({ key: "7", actual: null })]);
    await apply([createReported({ key: "7", actual: "2.3%", title: "GDP", timeMs: at("28T13:30") })]);
    expect(rows()).toMatchObject([{ actual: "2.3%", seriesId: "gdp", title: "GDP", timeMs: at("28T13:30") }]);
  });

  test("never stores an actual or a series for a secondary row", async () => {
    provider = "second";
    await apply([createReported({ actual: "1%", seriesId: "x" })], { stream: "secondary" });
    await apply([createReported({ actual: "2%", seriesId: "x", forecast: "3%" })], { stream: "secondary" });
    expect(rows()).toMatchObject([{ actual: null, seriesId: null, forecast: "3%" }]);
  });

  test("distinguishes two rows of one title and day", async () => {
    provider = "speeches";
    const speeches = [createReported({ title: "Speech" }), createReported({ title: "Speech", timeMs: at("24T18:00") })];
    await apply(speeches, { complete: week });
    const ids = rows().map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    await apply([...speeches].reverse(), { complete: week });
    expect(rows().map(({ id }) => id)).toEqual(ids);
  });

  test("is the same in a process that starts later", async () => {
    const other = createCalendar(testDatabase.db, { log: silentLog });
    await other.refresh();
    expect(other.events.map(({ event }) => event)).toEqual(calendar.events.map(({ event }) => event));
  });

  test("hides all rows of a provider that is switched off", async () => {
    provider = "moving";
    expect(await store.withdraw("primary", provider, at("22T11:00"), "settings")).toBe(1);
    await calendar.refresh();
    expect(rows()).toEqual([]);
  });

  test("keeps what sources say about a series, until they say something else", async () => {
    provider = "about";
    const report = (about: ReportedEvent["about"], seriesId = "usd-gdp") =>
      apply([createReported({ key: "about", seriesId, ...(about === undefined ? {} : { about }) })]);
    await report({ frequency: "quarterly", sourceUrl: "https://www.bea.gov/" });
    await report({ description: "  What the economy produces. " });
    await report(undefined);
    const known = {
      frequency: "quarterly",
      sourceUrl: "https://www.bea.gov/",
      description: "What the economy produces.",
    };
    expect(await calendar.readSeriesAbout("usd-gdp")).toEqual(known);
    await report({ sourceUrl: "https://www.bea.gov/data/gdp" });
    expect(await calendar.readSeriesAbout("usd-gdp")).toEqual({ ...known, sourceUrl: "https://www.bea.gov/data/gdp" });
    expect(await calendar.readSeriesAbout("usd-cpi")).toBeNull();
  });
});
