import { Pool } from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { instruments } from "@/lib/market/catalog";
import { type Database, openDatabase } from "@/lib/platform/database/database";
import { Replica } from "@/lib/platform/database/replica";
import { type Logger, silentLog } from "@/lib/platform/log/log";
import { createTestCluster, type TestCluster } from "@/lib/platform/testing/cluster";
import { HOUR_MS } from "@/lib/time/units";

/** A physical replica, whose replay can be paused. */

const FIRST_HOUR_MS = Date.parse("2026-03-04T10:00:00Z");
const primaryCluster = await createTestCluster();

describe("a history that is read from a replica", () => {
  let replicaCluster: TestCluster;
  let database: Database;
  let replica: Replica;
  let lines: string[];
  let hourMs = FIRST_HOUR_MS;

  const { url } = primaryCluster;
  const open = (address: string) => {
    const note = (_: object, message: string) => void lines.push(message);
    const log = { ...silentLog, warn: note, info: (message: string) => void lines.push(message) } as unknown as Logger;
    return new Replica({ url: address, primary: database.pool, log, pollMs: 20 });
  };
  beforeAll(async () => {
    database = await openDatabase({ databaseUrl: url, dataDir: "", log: silentLog });
    replicaCluster = await primaryCluster.replicate();
  });
  beforeEach(() => {
    lines = [];
    replica = open(replicaCluster.url);
    return () => replica.stop();
  });
  afterAll(async () => {
    await database.close();
    await replicaCluster.remove();
    await primaryCluster.remove();
  });

  /** A history that has nothing in memory. */
  function createKeeper(): HistoryKeeper {
    const nowMs = hourMs + 2 * HOUR_MS;
    const keeper = new HistoryKeeper({ pool: database.pool, instruments, marketNow: () => nowMs, replica });
    keeper.onRecorded([], nowMs);
    return keeper;
  }
  const isRead = async () => {
    const ask = "SELECT pg_is_in_recovery() AS answer";
    return replica.read(async (pool) => (await pool.query<{ answer: boolean }>(ask)).rows[0]?.answer);
  };
  async function setReplay(action: "pause" | "resume"): Promise<void> {
    const pool = new Pool({ connectionString: replicaCluster.url, max: 1 });
    await pool.query(`SELECT pg_wal_replay_${action}()`);
    await pool.end();
  }

  /** Records a second of the next hour, and closes that hour. */
  async function closeNextHour(): Promise<HistoryKeeper> {
    hourMs += HOUR_MS;
    const keeper = createKeeper();
    const price = { digits: 5, bid: 110_000, ask: 110_010, open: 110_000, high: 110_000, low: 110_000, updates: 1 };
    await journalRows(database.pool, [{ symbol: "EURUSD", second: hourMs / 1000, ...price }]);
    await keeper.readJournal();
    await keeper.close(hourMs, FIRST_FENCE);
    return keeper;
  }
  const readHour = async (keeper: HistoryKeeper) => {
    const range = { fromMs: hourMs, toMs: hourMs + HOUR_MS, limit: 10 };
    return (await keeper.history.bars.readRange("EURUSD", "M1", range)).length;
  };

  test("It is read from the replica once that has all that the primary has", async () => {
    expect(await isRead()).toBe(false);
    await closeNextHour();
    await replica.check();
    expect(await isRead()).toBe(true);
    expect(await readHour(createKeeper())).toBe(1);
  });

  test("An hour that was closed is read from the primary until the replica has it", async () => {
    await replica.check();
    await setReplay("pause");
    await closeNextHour();
    expect(await isRead()).toBe(false);
    expect(await readHour(createKeeper())).toBe(1);
    await expect(replica.check()).rejects.toThrow("behind the primary");
    expect(await readHour(createKeeper())).toBe(1);
    await setReplay("resume");
    await expect.poll(() => replica.check().then(isRead, () => false), { timeout: 10_000 }).toBe(true);
    expect(await readHour(createKeeper())).toBe(1);
  });

  test("While the replica is away the primary is read, with one line in the log, and then the replica again", async () => {
    await closeNextHour();
    replica.start();
    await expect.poll(isRead, { timeout: 10_000 }).toBe(true);
    await replicaCluster.stop();
    try {
      for (let reads = 0; reads < 20; reads++) expect(await readHour(createKeeper())).toBe(1);
      await expect.poll(() => lines, { timeout: 10_000 }).toHaveLength(1);
      expect(lines[0]).toContain("the history is read from the primary");
    } finally {
      await replicaCluster.start();
    }
    await expect.poll(isRead, { timeout: 20_000 }).toBe(true);
    expect(lines).toHaveLength(2);
  });

  test("A database that follows no primary is not read", async () => {
    const wrong = open(url);
    await expect(wrong.check()).rejects.toThrow("is not a replica");
    await wrong.stop();
  });
});
