import { afterAll, describe, expect, test } from "vitest";
import { createDirectory } from "@/lib/access/admission/directory";
import { someAccount, someEntry } from "@/lib/access/testing/test-accounts";
import { createUsage } from "@/lib/access/usage/usage";
import { formatUsageCsv, readUsageLines } from "@/lib/access/usage/usage-csv";
import { listSteps, readUsage } from "@/lib/access/usage/usage-report";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const halfPastTen = Date.UTC(2026, 0, 15, 10, 30);
const none = { answered: 0, refused: 0, limited: 0, failed: 0, credits: 0 };

test("A day is 24 hours and a week seven UTC days, the current one last", () => {
  expect(listSteps("24h", halfPastTen)).toMatchObject({ stepMs: HOUR_MS });
  expect(listSteps("24h", halfPastTen).startsMs).toHaveLength(24);
  expect(listSteps("24h", halfPastTen).startsMs[0]).toBe(Date.UTC(2026, 0, 14, 11));
  expect(listSteps("24h", halfPastTen).startsMs[23]).toBe(Date.UTC(2026, 0, 15, 10));
  expect(listSteps("7d", halfPastTen).startsMs.map((ms) => new Date(ms).getUTCDate())).toEqual([
    9, 10, 11, 12, 13, 14, 15,
  ]);
  expect(listSteps("30d", halfPastTen).startsMs).toHaveLength(30);
});

describe("the usage of an account", () => {
  let nowMs = halfPastTen;
  const now = () => nowMs;

  const directory = createDirectory(testDatabase.db, { now, log: silentLog });
  const usage = createUsage(testDatabase.db, { now, log: silentLog, directory });

  const createEntry = (owner: string) => someEntry(testDatabase.db, directory, { owner });

  test("A report counts by step, result, key and endpoint", async () => {
    const { id: accountId } = await someAccount(testDatabase.db, "pro");
    const [first, second] = [await createEntry(accountId), await createEntry(accountId)];
    const stranger = await createEntry((await someAccount(testDatabase.db, "pro")).id);
    nowMs = halfPastTen - 2 * HOUR_MS;
    usage.count(first, "/v1/quote", 200, 1);
    usage.count(first, "/v1/quote", 404, 0);
    nowMs = halfPastTen;
    usage.count(second, "/v1/ticks", 200, 3);
    usage.count(second, "/v1/ticks", 304, 0);
    usage.count(second, "/v1/ticks", 429, 0);
    usage.count(second, "/v1/ticks", 503, 0);
    usage.count(stranger, "/v1/quote", 200, 1);
    nowMs = halfPastTen - DAY_MS;
    usage.count(second, "/v1/ticks", 200, 3);
    await usage.flush();
    nowMs = halfPastTen;

    const day = await readUsage(testDatabase.db.pool, { accountId, period: "24h" }, nowMs);
    expect(day.total).toEqual({ answered: 3, refused: 1, limited: 1, failed: 1, credits: 4 });
    expect(day.steps).toHaveLength(24);
    expect(day.steps.at(-3)).toEqual({
      startMs: Date.UTC(2026, 0, 15, 8),
      ...none,
      answered: 1,
      refused: 1,
      credits: 1,
    });
    expect(day.steps.at(-2)).toEqual({ startMs: Date.UTC(2026, 0, 15, 9), ...none });
    expect(day.keys).toEqual([
      { keyId: second.id, answered: 2, refused: 0, limited: 1, failed: 1, credits: 3 },
      { keyId: first.id, ...none, answered: 1, refused: 1, credits: 1 },
    ]);
    expect(day.endpoints.map(({ endpoint }) => endpoint)).toEqual(["/v1/ticks", "/v1/quote"]);

    const week = await readUsage(testDatabase.db.pool, { accountId, period: "7d", keyId: second.id }, nowMs);
    expect(week.total).toMatchObject({ answered: 3, credits: 6 });
    expect(week.steps.slice(-2).map(({ startMs, answered }) => [startMs, answered])).toEqual([
      [Date.UTC(2026, 0, 14), 1],
      [Date.UTC(2026, 0, 15), 2],
    ]);
    const quotes = await readUsage(testDatabase.db.pool, { accountId, period: "30d", endpoint: "/v1/quote" }, nowMs);
    expect(quotes.total).toEqual({ ...none, answered: 1, refused: 1, credits: 1 });
  });

  test("A report never has another account's usage", async () => {
    const { id: accountId } = await someAccount(testDatabase.db, "pro");
    const theirs = await createEntry((await someAccount(testDatabase.db, "pro")).id);
    usage.count(theirs, "/v1/quote", 200, 1);
    await usage.flush();
    for (const keyId of [theirs.id, "not an id"]) {
      const report = await readUsage(testDatabase.db.pool, { accountId, period: "24h", keyId }, nowMs);
      expect(report).toMatchObject({ total: none, endpoints: [], keys: [] });
      expect(await readUsageLines(testDatabase.db.pool, { accountId, period: "24h", keyId }, nowMs, 10)).toEqual([]);
    }
  });

  test("The CSV has no label that a spreadsheet would run as a formula", async () => {
    const { id: accountId } = await someAccount(testDatabase.db, "pro");
    const entry = await createEntry(accountId);
    usage.count(entry, "/v1/quote", 200, 1);
    usage.count(entry, "/v1/quote", 200, 1);
    await usage.flush();
    const lines = await readUsageLines(testDatabase.db.pool, { accountId, period: "24h" }, nowMs, 10);
    expect(formatUsageCsv(lines, new Map([[entry.id, '=1+1,"x"']]))).toBe(
      "hour,key_id,key,endpoint,status,calls,credits\r\n" +
        `2026-01-15T10:00:00.000Z,${entry.id},"'=1+1,""x""",/v1/quote,200,2,2\r\n`,
    );
  });
});
