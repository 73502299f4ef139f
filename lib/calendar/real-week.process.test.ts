import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Calendar, createCalendar } from "@/lib/calendar/calendar";
import type { CalendarEvent, ReportedEvent } from "@/lib/calendar/event";
import { createEventStore } from "@/lib/calendar/event-store";
import { findWeekSpan } from "@/lib/calendar/forexfactory";
import { readSnapshots, type Snapshot, WEEKS } from "@/lib/calendar/publisher-weeks.fixture";
import { readWeeklyJson } from "@/lib/calendar/weekly-events";
import { findRealData } from "@/lib/feeds/real-data.fixture";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";

const realData = findRealData();

describe.skipIf(realData === undefined).each(WEEKS)("replaying the hourly snapshots of the real week %s", (week) => {
  let testDatabase: TestDatabase;
  let calendar: Calendar;
  let snapshots: Snapshot[];
  /** The calendar after each snapshot. */
  const after: (readonly CalendarEvent[])[] = [];

  beforeAll(async () => {
    testDatabase = await openTestDatabase();
    const store = createEventStore(testDatabase.db);
    calendar = createCalendar(testDatabase.db, { log: silentLog });
    snapshots = readSnapshots(realData ?? "", week);
    for (const [index, snapshot] of snapshots.entries()) {
      await store.report({ stream: "primary", provider: "recorded", origin: `snapshot ${index}`, ...snapshot });
      await calendar.refresh();
      after.push(calendar.events.map(({ event }) => event));
    }
  });
  afterAll(() => testDatabase.cleanup());

  const toName = ({ currency, title, timeMs }: Pick<ReportedEvent, "currency" | "title" | "timeMs">) =>
    `${currency} ${title} ${timeMs}`;

  test("yields, at every moment, exactly the events of the page of the day", () => {
    for (const [index, { events, complete, atMs }] of snapshots.entries()) {
      const shown = (after[index] ?? []).filter(
        ({ timeMs }) => timeMs >= complete.fromMs && timeMs <= complete.toMs && timeMs > atMs,
      );
      const listed = events.filter(({ timeMs }) => timeMs > atMs);
      expect(shown.map(toName).sort()).toEqual([...new Set(listed.map(toName))].sort());
    }
  });

  test("keeps every id: a row never changes its currency, and no two rows have the same title and minute", () => {
    const seen = new Map<string, string>();
    for (const rows of after) {
      expect(new Set(rows.map(toName)).size).toBe(rows.length);
      for (const { id, currency, title } of rows) {
        expect(seen.get(id) ?? `${currency} ${title}`).toBe(`${currency} ${title}`);
        seen.set(id, `${currency} ${title}`);
      }
    }
  });

  test("stores each actual once, in the snapshot that first contains it", async () => {
    const first = new Map<string, number>();
    for (const [index, { events }] of snapshots.entries()) {
      for (const event of events) {
        if (event.actual != null && !first.has(toName(event))) first.set(toName(event), index);
      }
    }
    const shown = new Map<string, number>();
    for (const [index, rows] of after.entries()) {
      for (const row of rows) if (row.actual !== null && !shown.has(toName(row))) shown.set(toName(row), index);
    }
    expect(shown).toEqual(first);
    const ids = calendar.events.map(({ event }) => event.id);
    for (const changes of (await calendar.readChanges(ids)).values()) {
      const released = changes.filter(({ field, before }) => field === "actual" && before === null);
      expect(released.length).toBeLessThanOrEqual(1);
    }
  });

  test("moves events that moved, with their ids, and records when and from which snapshot", async () => {
    const ids = calendar.events.map(({ event }) => event.id);
    const moves = [...(await calendar.readChanges(ids))].flatMap(([id, changes]) =>
      changes.filter(({ field }) => field === "time").map((change) => ({ id, ...change })),
    );
    for (const { id, before, after: to, origin } of moves) {
      const index = Number(origin.replace("snapshot ", ""));
      const findTime = (at: number) => after[at]?.find((row) => row.id === id)?.timeMs;
      expect(findTime(index)).toBe(Date.parse(to ?? ""));
      const earlier = findTime(index - 1);
      if (earlier !== undefined) expect(earlier).toBe(Date.parse(before ?? ""));
    }
    process.stdout.write(`${week}: ${snapshots.length} snapshots, ${ids.length} rows, ${moves.length} moves\n`);
  });
});

const files = realData === undefined ? "" : join(realData, "calendar/forexfactory_dkmarlin");

describe.skipIf(realData === undefined)("replaying the second publisher's file of a real week", () => {
  let testDatabase: TestDatabase;
  beforeAll(async () => void (testDatabase = await openTestDatabase()));
  afterAll(() => testDatabase.cleanup());

  test("yields the events of each version of the file, moves those that moved with their ids, and never stores an actual", async () => {
    const store = createEventStore(testDatabase.db);
    const calendar = createCalendar(testDatabase.db, { log: silentLog });
    const toName = ({ currency, title, timeMs }: Pick<ReportedEvent, "currency" | "title" | "timeMs">) =>
      `${currency} ${title} ${timeMs}`;
    const names = new Map<string, string>();
    const versions = readdirSync(files).filter((name) => name.endsWith(".json"));
    expect(versions.length).toBeGreaterThan(10);
    for (const origin of versions.sort()) {
      const events = readWeeklyJson(readFileSync(join(files, origin), "utf8"));
      const complete = findWeekSpan(events);
      if (complete === undefined) throw new Error(`${origin} is empty`);
      // The report's time is before its week, so that every row is in the future and may be moved or withdrawn.
      const report = { stream: "secondary", provider: "recorded", origin, atMs: complete.fromMs - 1, events } as const;
      await store.report({ ...report, complete });
      await calendar.refresh();
      const shown = calendar.events.map(({ event }) => event);
      expect(shown.map(toName).sort()).toEqual([...new Set(events.map(toName))].sort());
      for (const { id, currency, title, actual, seriesId } of shown) {
        expect([actual, seriesId]).toEqual([null, null]);
        expect(names.get(id) ?? `${currency} ${title}`).toBe(`${currency} ${title}`);
        names.set(id, `${currency} ${title}`);
      }
    }
    const changes = [...(await calendar.readChanges([...names.keys()])).values()].flat();
    const moves = changes.filter(({ field }) => field === "time");
    expect(moves.length).toBeGreaterThan(0);
    process.stdout.write(`second publisher: ${versions.length} files, ${names.size} rows, ${moves.length} moves\n`);
  });
});
