import { afterAll, describe, expect, test } from "vitest";
import { createDirectory } from "@/lib/access/admission/directory";
import { NO_LIMIT } from "@/lib/access/plans";
import { someEntry } from "@/lib/access/testing/test-accounts";
import { fitPlan, readUsedDays, type UsedDay } from "@/lib/access/usage/plan-days";
import { createUsage } from "@/lib/access/usage/usage";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const noon = Date.UTC(2026, 0, 31, 12);
const midnight = Date.UTC(2026, 0, 31);

const makeDay = (quotes: number, ticks: number): UsedDay => ({
  startMs: midnight,
  answered: new Map([
    ["/v1/quote", quotes],
    ["/v1/ticks", ticks],
  ]),
  limited: 0,
});

test("Days over a plan's quota are counted without the calls that the plan would refuse", () => {
  const days = [makeDay(100, 50), makeDay(101, 0), makeDay(10, 140)];
  expect(fitPlan(days, { perDay: 100 }, () => true)).toEqual({ daysOver: 3, callsOver: 101, missing: [] });
  expect(fitPlan(days, { perDay: 100 }, (path) => path !== "/v1/ticks")).toEqual({
    daysOver: 1,
    callsOver: 1,
    missing: [{ endpoint: "/v1/ticks", calls: 190 }],
  });
  expect(fitPlan(days, { perDay: NO_LIMIT }, () => true).daysOver).toBe(0);
  expect(fitPlan([], { perDay: 1 }, () => false)).toEqual({ daysOver: 0, callsOver: 0, missing: [] });
});

describe("the days of an account", () => {
  let nowMs = noon;
  const now = () => nowMs;
  const directory = createDirectory(testDatabase.db, { now, log: silentLog });

  test("They are the answered calls of standard keys in 30 UTC days", async () => {
    const { db } = testDatabase;
    const standard = await someEntry(db, directory);
    const tool = await someEntry(db, directory, { owner: standard.accountId, kind: "tool" });
    const usage = createUsage(db, { now, log: silentLog, directory });
    for (const atMs of [noon - 30 * DAY_MS, noon - 29 * DAY_MS, noon]) {
      nowMs = atMs;
      for (const status of [200, 200, 304, 404, 429]) usage.count(standard, "/v1/quote", status, 0);
      usage.count(tool, "/v1/quote", 200, 1);
    }
    await usage.flush();
    expect(await readUsedDays(db.pool, standard.accountId, noon)).toEqual([
      { startMs: midnight - 29 * DAY_MS, answered: new Map([["/v1/quote", 2]]), limited: 1 },
      { startMs: midnight, answered: new Map([["/v1/quote", 2]]), limited: 1 },
    ]);
    expect(await readUsedDays(db.pool, "not an id", noon)).toEqual([]);
  });
});
