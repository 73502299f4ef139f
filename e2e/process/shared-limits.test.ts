import pg from "pg";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  countByStatus,
  createKey,
  type Fleet,
  pause,
  quote,
  quotes,
  type Reply,
  setLimits,
  startFleet,
} from "@/e2e/process/fleet";
import { testRevocation } from "@/e2e/process/revocation";
import { createFilledDatabase } from "@/e2e/support/prepared-past";
import type { Spotline } from "@/e2e/support/spotline";
import { getDayStart } from "@/lib/access/admission/day-window";
import { canRunRedis, startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";

/** Keys and limits over two processes that share a PostgreSQL and a Redis. */

const database = canRunRedis ? await createFilledDatabase() : null;
if (canRunRedis && database === null)
  console.warn("SKIPPED: no PostgreSQL is reachable, so two servers cannot share one");

describe.runIf(database !== null)("Two servers that share a database and a Redis", () => {
  let redis: TestRedis;
  let servers: Spotline[] = [];
  let first: Spotline;
  let fleet: Fleet;

  beforeAll(async () => {
    redis = await startTestRedis();
    fleet = await startFleet(2, settings());
    servers = fleet.servers;
    first = servers[0] as Spotline;
  });
  afterAll(async () => {
    redis.thaw();
    await Promise.all(servers.map((server) => server.stop()));
    await redis.remove();
    await database?.drop();
  });

  const settings = () => ({
    DATABASE_URL: database?.url ?? "",
    REDIS_URL: redis.url,
    // On a busy machine, a shorter timeout would be exceeded, and the numbers would not be exact.
    SPOTLINE_REDIS_TIMEOUT_MS: "1000",
  });

  const readHealth = async ({ url }: Spotline) => {
    const response = await fetch(`${url}/health`);
    const body = (await response.json()) as { status: string; components: Record<string, { status: string }> };
    return { http: response.status, overall: body.status, redis: body.components.redis?.status };
  };
  const waitForHealth = (redisStatus: string) =>
    vi.waitFor(
      async () => {
        for (const server of servers) expect((await readHealth(server)).redis).toBe(redisStatus);
      },
      { timeout: 10_000, interval: 100 },
    );

  function expectMinuteUsedUp({ error, headers }: Reply, limit: number): void {
    expect(error).toMatchObject({ code: "RATE_LIMIT_EXCEEDED", limit, remaining: 0 });
    const seconds = Number(error?.reset_in_seconds);
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(headers.get("retry-after")).toBe(String(seconds));
    expect(headers.get("x-ratelimit-reset")).toBe(String(seconds));
    expect(headers.get("x-ratelimit-remaining")).toBe("0");
    expect(headers.get("ratelimit")).toBe(`"minute";r=0;t=${seconds}`);
  }

  testRevocation(() => fleet);

  test("return the same recorded ticks, because only one of them records", async () => {
    const { key } = await createKey(fleet);
    const readTicks = async ({ url }: Spotline, range: string) => {
      const response = await fetch(`${url}/v1/ticks?symbol=EURUSD&${range}`, { headers: { "X-API-Key": key } });
      return ((await response.json()) as { data?: { count: number } }).data;
    };
    const fromMs = Date.now() - 20_000;
    await vi.waitFor(
      async () => {
        // The standby reads what the recorder wrote a second later.
        const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(Date.now() - 4_000).toISOString()}`;
        const [recorded, followed] = await Promise.all(servers.map((server) => readTicks(server, range)));
        expect(recorded?.count).toBeGreaterThan(10);
        expect(followed).toEqual(recorded);
      },
      { timeout: 30_000, interval: 500 },
    );
  });

  test("admit exactly 30 of 200 parallel calls to both, with the same headers and errors", async () => {
    await setLimits(fleet, { perMinute: 30 });
    const { key } = await createKey(fleet);
    const replies = await quotes(200, servers, key);
    expect(countByStatus(replies)).toEqual({ 200: 30, 429: 170 });
    for (const reply of replies[429] ?? []) expectMinuteUsedUp(reply, 30);
    for (const reply of replies[200] ?? []) expect(reply.headers.get("ratelimit-policy")).toBe('"minute";q=30;w=60');
    for (const server of servers) expect((await quote(server, key)).status).toBe(429);
  });

  test("spend no quota on failed calls, and check limits in the same order as one server", async () => {
    await pause(1_500);
    await setLimits(fleet, { perMinute: 14, perDay: (await countToday()) + 2 });
    const { key } = await createKey(fleet);
    const readCode = async (server: number, query: string) => {
      const headers = { "X-API-Key": key };
      const response = await fetch(`${(servers[server] as Spotline).url}/v1/quote?${query}`, { headers });
      const { error } = (await response.json()) as { error?: { code: string } };
      return error?.code ?? response.status;
    };
    for (let call = 0; call < 8; call++) {
      expect(await readCode(call % 2, call < 4 ? "symbol=NOPE" : "")).toBe(
        call < 4 ? "SYMBOL_NOT_FOUND" : "VALIDATION_ERROR",
      );
    }
    expect([await readCode(0, "symbol=EURUSD"), await readCode(1, "symbol=EURUSD")]).toEqual([200, 200]);
    expect(await readCode(0, "symbol=EURUSD")).toBe("QUOTA_EXCEEDED");
    expect(await readCode(1, "symbol=NOPE")).toBe("QUOTA_EXCEEDED");
    expect(await readCode(0, "")).toBe("VALIDATION_ERROR");
    expect(await readCode(1, "")).toBe("VALIDATION_ERROR");
    expect(await readCode(0, "")).toBe("RATE_LIMIT_EXCEEDED");
    expect(await readCode(1, "")).toBe("RATE_LIMIT_EXCEEDED");
  });

  test("continue to count while Redis is slow or down, each within the limit, and share limits again afterwards", async () => {
    await setLimits(fleet, { perMinute: 30 });
    for (const trouble of ["slow", "gone"] as const) {
      const { key } = await createKey(fleet);
      expect(countByStatus(await quotes(10, servers, key))).toEqual({ 200: 10 });
      expect(await readHealth(first)).toEqual({ http: 200, overall: "ok", redis: "ok" });
      if (trouble === "slow") redis.freeze();
      else await redis.kill();
      const replies = await quotes(200, servers, key);
      expect(Object.keys(replies)).toEqual(["200", "429"]);
      const admitted = 10 + (replies[200]?.length ?? 0);
      expect(admitted).toBeGreaterThanOrEqual(30);
      expect(admitted).toBeLessThanOrEqual(60);
      await waitForHealth("degraded");
      expect(await readHealth(first)).toMatchObject({ http: 200, overall: "degraded" });
      const askedAtMs = performance.now();
      expect((await quote(first, (await createKey(fleet)).key)).status).toBe(200);
      expect(performance.now() - askedAtMs).toBeLessThan(10_000);
      if (trouble === "slow") redis.thaw();
      else await redis.restart();
      await waitForHealth("ok");
      expect(countByStatus(await quotes(20, servers, key))).toEqual({ 429: 20 });
    }
  });

  /** Reads the successful calls of today from the database, which is at most a second behind. */
  async function countToday(): Promise<number> {
    const client = new pg.Client({ connectionString: database?.url });
    await client.connect();
    try {
      const { rows } = await client.query<{ calls: number }>(
        `SELECT coalesce(sum(calls), 0)::float8 AS calls FROM usage_hour
          WHERE status = 200 AND hour >= to_timestamp($1 / 1000.0)`,
        [getDayStart(Date.now())],
      );
      return rows[0]?.calls ?? 0;
    } finally {
      await client.end();
    }
  }
});
