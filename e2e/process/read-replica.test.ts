import { Pool } from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { createKey, type Fleet, startFleet } from "@/e2e/process/fleet";
import { createFilledCluster } from "@/e2e/support/prepared-past";
import type { TestCluster } from "@/lib/platform/testing/cluster";

/** A server that reads its history from a replica of its database. */

const SYMBOLS = ["EURUSD", "GBPUSD", "USDJPY", "XAUUSD", "BTCUSD"];
const TIMEFRAMES = ["M1", "M5", "M15", "M30", "H1", "H4"];

describe("A server with a replica of its database", () => {
  let primary: TestCluster;
  let replica: TestCluster;
  let fleet: Fleet;
  let key = "";
  /** A series is read once, and stays in memory. */
  const unread = SYMBOLS.flatMap((symbol) => TIMEFRAMES.map((timeframe) => `symbol=${symbol}&timeframe=${timeframe}`));

  beforeAll(async () => {
    primary = await createFilledCluster();
    replica = await primary.replicate();
    fleet = await startFleet(1, { DATABASE_URL: primary.url, DATABASE_READ_URL: replica.url });
    ({ key } = await createKey(fleet));
  });
  afterAll(async () => {
    await Promise.all(fleet.servers.map((server) => server.stop()));
    await replica.remove();
    await primary.remove();
  });

  /** The latest bars of the next series. */
  async function readBars() {
    const series = unread.pop();
    const response = await fetch(`${fleet.servers[0]?.url}/v1/ohlc?${series}&limit=10`, {
      headers: { "X-API-Key": key },
    });
    const { data } = (await response.json()) as { data?: { count: number } };
    return { status: response.status, count: data?.count };
  }

  /** How often bars have been read in a database. */
  async function countReads({ url }: TestCluster): Promise<number> {
    const pool = new Pool({ connectionString: url, max: 1 });
    try {
      const { rows } = await pool.query<{ reads: number }>(
        "SELECT coalesce(sum(idx_scan + seq_scan), 0)::int4 AS reads FROM pg_stat_user_tables WHERE relname LIKE 'bar%'",
      );
      return rows[0]?.reads ?? 0;
    } finally {
      await pool.end();
    }
  }
  const expectReads = async (cluster: TestCluster) => {
    const before = await countReads(cluster);
    await vi.waitFor(
      async () => {
        expect(await readBars()).toEqual({ status: 200, count: 10 });
        expect(await countReads(cluster)).toBeGreaterThan(before);
      },
      { timeout: 20_000, interval: 500 },
    );
  };

  // A line may arrive after the answer.
  const expectLine = (line: string) =>
    expect.poll(() => fleet.servers[0]?.output(), { timeout: 20_000 }).toContain(line);

  test("answers calls from the replica, and from its own database while the replica is away", async () => {
    await expectReads(replica);
    await replica.stop();
    await expectReads(primary);
    await expectLine("the history is read from the primary");
    await replica.start();
    await expectReads(replica);
    await expectLine("the history is read from the replica again");
  });
});
