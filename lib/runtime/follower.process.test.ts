import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createBook } from "@/lib/book/book";
import { instruments } from "@/lib/market/catalog";
import { loadConfig } from "@/lib/platform/config";
import { silentLog } from "@/lib/platform/log/log";
import { RedisStreams } from "@/lib/platform/redis-stream";
import { openTestDatabase, type TestDatabase } from "@/lib/platform/testing/databases";
import { canRunRedis, startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";
import { systemClock } from "@/lib/platform/timing/clock";
import { UnreadableAddresses } from "@/lib/platform/unreadable-addresses";
import type { ServerStatus } from "@/lib/readers/messages";
import { Publisher } from "@/lib/readers/publisher";
import { RedisPublisher } from "@/lib/readers/redis-publisher";
import { startFollower } from "@/lib/runtime/follower";

const WAITING_QUERIES = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
/** Longer than a query may take on a server that has started. */
const LOCKED_MS = 2_000;

describe.runIf(canRunRedis)("A server that follows another one", () => {
  let database: TestDatabase;
  let redis: TestRedis;
  let writer: RedisPublisher;
  let stopWriter = () => {};

  /** A writer that only publishes, over Redis. */
  function startWriter(): void {
    const listSources = () => [];
    const book = createBook({ sources: [], now: Date.now });
    const publisher = new Publisher({
      ...{ book, listSources, isInPast: false, instruments, marketNow: Date.now, saveHistory: async () => {} },
      ...{ lagMs: () => 0, everyMs: 50, log: silentLog },
    });
    const streams = new RedisStreams({ url: redis.url, log: silentLog });
    streams.start();
    writer = new RedisPublisher({ streams, publisher, readFence: () => 1 });
    writer.start();
    stopWriter = () => {
      publisher.stop();
      streams.stop();
    };
  }

  function start() {
    const config = loadConfig({
      ...{ DATABASE_URL: database.databaseUrl, SPOTLINE_DATA_DIR: database.dataDir },
      ...{ REDIS_URL: redis.url, SPOTLINE_ROLES: "api" },
    });
    const unreadable = new UnreadableAddresses({ log: silentLog, now: systemClock });
    return startFollower({
      config,
      log: silentLog,
      unreadable,
      flush: async () => {},
      calls: null,
      noteCall: () => {},
    });
  }

  beforeAll(async () => {
    database = await openTestDatabase();
    redis = await startTestRedis();
    startWriter();
  });
  afterAll(async () => {
    stopWriter();
    await redis.remove();
    await database.cleanup();
  });

  test("waits for a database that does not answer while it starts", async () => {
    const { pool } = database.db;
    const lock = await pool.connect();
    await lock.query("BEGIN");
    await lock.query("LOCK TABLE account");
    const starting = start();
    starting.catch(() => {});
    try {
      const countWaiting = async () => (await pool.query(WAITING_QUERIES)).rowCount;
      await expect.poll(countWaiting, { timeout: 20_000 }).toBeGreaterThan(0);
      await new Promise((resolve) => setTimeout(resolve, LOCKED_MS));
    } finally {
      await lock.query("ROLLBACK");
      lock.release();
    }
    const follower = await starting;
    // From now on a database that does not answer is reported soon.
    expect(follower.database.pool.options).toMatchObject({ query_timeout: 1_500 });
    await follower.stop();
  });

  test("has no metrics of the sources and the recording of that one", async () => {
    const follower = await start();
    try {
      const status = { recorder: { standbyFor: null }, feeds: [{ source: "first" }] } as unknown as ServerStatus;
      const readStatus = async () => {
        writer.publishStatus(status);
        return follower.serverStatus();
      };
      await expect.poll(readStatus, { timeout: 10_000 }).toMatchObject(status);
      expect([follower.recorderStatus(), follower.sourceStates()]).toEqual([null, []]);
    } finally {
      await follower.stop();
    }
  });
});
