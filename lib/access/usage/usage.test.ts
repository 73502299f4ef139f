import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createDirectory, type KeyEntry } from "@/lib/access/admission/directory";
import { cheapPasswords, someEntry } from "@/lib/access/testing/test-accounts";
import { createUsage, createUsageCells } from "@/lib/access/usage/usage";
import type { Database } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { HOUR_MS } from "@/lib/time/units";

const testDatabase = await openTestDatabase();
afterAll(() => testDatabase.cleanup());

const noon = Date.UTC(2026, 0, 15, 12);

describe("usage", () => {
  let nowMs = noon;
  const now = () => nowMs;

  const directory = createDirectory(testDatabase.db, { now, log: silentLog });
  afterEach(() => void vi.useRealTimers());

  const createTestUsage = (db: Database) => createUsage(db, { now, log: silentLog, directory });

  const readRows = async ({ id }: KeyEntry) =>
    (
      await testDatabase.db.prisma.usageHour.findMany({
        where: { keyId: id },
        orderBy: [{ hour: "asc" }, { status: "asc" }],
      })
    ).map(({ hour, endpoint, status, calls, credits }) => [hour.getUTCHours(), endpoint, status, calls, credits]);

  test("Calls add up by endpoint, status and hour over several flushes", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const usage = createTestUsage(testDatabase.db);
    nowMs = noon;
    for (let i = 0; i < 5; i++) usage.count(entry, "/v1/quote", 200, 1);
    usage.count(entry, "/v1/quote", 404, 0);
    await usage.flush();
    usage.count(entry, "/v1/quote", 200, 1);
    nowMs += HOUR_MS;
    usage.count(entry, "/v1/ticks", 200, 3);
    await usage.flush();
    await usage.flush();
    expect(await readRows(entry)).toEqual([
      [12, "/v1/quote", 200, 6, 6],
      [12, "/v1/quote", 404, 1, 0],
      [13, "/v1/ticks", 200, 1, 3],
    ]);
    const { lastUsedAt } = await testDatabase.db.prisma.apiKey.findUniqueOrThrow({ where: { id: entry.id } });
    expect(lastUsedAt?.getTime()).toBe(nowMs);
  });

  test("A key's last use is written once a minute", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const usage = createTestUsage(testDatabase.db);
    const lastUse = async () => {
      await usage.flush();
      const row = await testDatabase.db.prisma.apiKey.findUniqueOrThrow({ where: { id: entry.id } });
      return [row.lastUsedAt?.getTime(), row.lastUsedFrom, row.lastUsedEndpoint, row.lastUsedStatus];
    };
    const from = (address: string | null) => ({ address: () => address });
    nowMs = noon;
    usage.count(entry, "/v1/quote", 200, 1, from("192.0.2.1"));
    nowMs = noon + 59_999;
    usage.count(entry, "/v1/ticks", 403, 0, from("192.0.2.2"));
    expect(await lastUse()).toEqual([noon, "192.0.2.1", "/v1/quote", 200]);
    nowMs = noon + 60_000;
    usage.count(entry, "/v1/ticks", 403, 0, from(null));
    expect(await lastUse()).toEqual([nowMs, null, "/v1/ticks", 403]);
  });

  test("Standard keys on pay-as-you-go spend prepaid credits once", async () => {
    const accounts = createAccounts(testDatabase.db, { now, directory, passwords: cheapPasswords });
    const standard = await someEntry(testDatabase.db, directory);
    const tool = await someEntry(testDatabase.db, directory, { kind: "tool", owner: standard.accountId });
    const left = async () => (await accounts.find(standard.accountId))?.prepaidCredits;
    await accounts.setPrepaidCredits(standard.accountId, 10);
    let answers = true;
    const query = async (text: string, values: unknown[]) => {
      const result = await testDatabase.db.pool.query(text, values);
      if (!answers) throw new Error("connection lost");
      return result;
    };
    const usage = createTestUsage({ ...testDatabase.db, pool: { query } } as unknown as Database);
    nowMs = noon;
    usage.count(standard, "/v1/ticks", 200, 3);
    await usage.flush();
    expect(await left(), "on a plan that is paid by the month").toBe(10);

    await accounts.setPlan(standard.accountId, "payg");
    usage.count(standard, "/v1/ticks", 200, 3);
    usage.count(standard, "/v1/quote", 404, 0);
    usage.count(tool, "/v1/calendar", 200, 2);
    answers = false;
    await expect(usage.flush()).rejects.toThrow("connection lost");
    answers = true;
    await usage.flush();
    expect(await left()).toBe(7);

    for (let i = 0; i < 4; i++) usage.count(standard, "/v1/ticks", 200, 3);
    await usage.flush();
    expect(await left(), "what was used beyond them is owed").toBe(-5);
  });

  test("A call counts once although the clock went back over the hour", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const usage = createTestUsage(testDatabase.db);
    for (const atMs of [noon, noon + HOUR_MS, noon, noon + HOUR_MS]) {
      nowMs = atMs;
      usage.count(entry, "/v1/quote", 200, 1);
    }
    await usage.flush();
    expect(await readRows(entry)).toEqual([
      [12, "/v1/quote", 200, 2, 2],
      [13, "/v1/quote", 200, 2, 2],
    ]);
  });

  test("Counts of a failed write are kept and written once", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    let mode: "ok" | "refuse" | "lose the answer" = "refuse";
    const query = async (text: string, values: unknown[]) => {
      if (mode === "refuse") throw new Error("unreachable");
      const result = await testDatabase.db.pool.query(text, values);
      if (mode === "lose the answer") throw new Error("connection lost");
      return result;
    };
    const usage = createTestUsage({ ...testDatabase.db, pool: { query } } as unknown as Database);
    nowMs = noon;
    usage.count(entry, "/v1/quote", 200, 1);
    await expect(usage.flush()).rejects.toThrow("unreachable");
    usage.count(entry, "/v1/quote", 200, 1);
    mode = "lose the answer";
    await expect(usage.flush()).rejects.toThrow("connection lost");
    usage.count(entry, "/v1/quote", 200, 1);
    await expect(usage.flush()).rejects.toThrow("connection lost");
    mode = "ok";
    await usage.flush();
    await usage.flush();
    expect(await readRows(entry)).toEqual([[12, "/v1/quote", 200, 3, 3]]);
  });

  test("Calls during flushes are neither lost nor repeated", async () => {
    const entry = await someEntry(testDatabase.db, directory);
    const usage = createTestUsage(testDatabase.db);
    const flushes: Promise<void>[] = [];
    for (let i = 0; i < 300; i++) {
      usage.count(entry, "/v1/quote", 200, 1);
      if (i % 30 === 0) flushes.push(usage.flush());
      if (i % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all([...flushes, usage.flush()]);
    expect(await readRows(entry)).toEqual([[12, "/v1/quote", 200, 300, 300]]);
  });

  test("A process deletes its mark, and those of crashed processes", async () => {
    const marks = () => testDatabase.db.prisma.setting.findMany({ where: { name: { startsWith: "usage-writer:" } } });
    const entry = await someEntry(testDatabase.db, directory);
    nowMs = noon;
    const dying = createTestUsage(testDatabase.db);
    dying.count(entry, "/v1/quote", 200, 1);
    await dying.flush();
    const died = (await marks()).length;
    expect(died).toBeGreaterThan(0);
    nowMs = noon + 48 * HOUR_MS;
    const next = createTestUsage(testDatabase.db);
    await next.start();
    next.count(entry, "/v1/quote", 200, 1);
    await next.flush();
    expect(await marks()).toHaveLength(1);
    await next.stop();
    expect(await marks()).toHaveLength(0);
  });

  test("Usage is flushed every second, and an outage is logged once", async () => {
    vi.useFakeTimers();
    let failing = false;
    const query = vi.fn(async () => {
      if (failing) throw new Error("unreachable");
      return { rows: [] };
    });
    const log = { error: vi.fn(), info: vi.fn() };
    const db = { pool: { query } } as unknown as Database;
    const usage = createUsage(db, { now, log: log as unknown as typeof silentLog, directory });
    await usage.start();
    const entry = { id: "key", accountId: "account" } as KeyEntry;
    query.mockClear();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(query).not.toHaveBeenCalled();
    usage.count(entry, "/v1/quote", 200, 1);
    await vi.advanceTimersByTimeAsync(1_000);
    // One query writes the counts, the other the last use.
    expect(query).toHaveBeenCalledTimes(2);
    failing = true;
    usage.count(entry, "/v1/quote", 200, 1);
    await vi.advanceTimersByTimeAsync(3_000);
    failing = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(log.error).toHaveBeenCalledTimes(1);
    expect(log.info).toHaveBeenCalledTimes(1);
    await usage.stop();
  });
});

const entry = (id: string) => ({ id, accountId: "account" }) as KeyEntry;

test("Each count is drained once", () => {
  const cells = createUsageCells(100);
  const key = entry("key");
  cells.count(key, "/v1/quote", 200, 1, noon);
  cells.count(key, "/v1/quote", 200, 1, noon + 5);
  const row = { keyId: "key", accountId: "account", hourMs: noon, endpoint: "/v1/quote", status: 200 };
  expect(cells.drain()).toEqual([{ ...row, calls: 2, credits: 2 }]);
  expect(cells.drain()).toEqual([]);
  cells.count(key, "/v1/quote", 200, 1, noon + 9);
  expect(cells.drain()).toEqual([{ ...row, calls: 1, credits: 1 }]);
});

test("The counts of an ended hour are kept until they are drained", () => {
  const cells = createUsageCells(100);
  cells.count(entry("key"), "/v1/quote", 200, 1, noon);
  cells.count(entry("key"), "/v1/quote", 200, 1, noon + HOUR_MS);
  expect(cells.drain().map((cell) => cell.hourMs)).toEqual([noon, noon + HOUR_MS]);
});

test("The number of cells is bounded, and calls without a cell are counted as lost", () => {
  const cells = createUsageCells(10);
  for (let i = 0; i < 25; i++) cells.count(entry(`${i}`), "/v1/quote", 200, 1, noon);
  for (let i = 0; i < 25; i++) cells.count(entry(`${i}`), "/v1/quote", 200, 1, noon + HOUR_MS);
  expect(cells.drainLost()).toBe(15 + 25);
  expect(cells.drain()).toHaveLength(10);
  for (let i = 0; i < 10; i++) cells.count(entry(`${i}`), "/v1/quote", 200, 1, noon + HOUR_MS);
  expect(cells.drainLost()).toBe(0);
  expect(cells.drain()).toHaveLength(10);
});
