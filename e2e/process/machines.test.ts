import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { readReady } from "@/e2e/process/api-process-scene";
import { startCutter } from "@/e2e/process/connection-cutter";
import { countByStatus, createKey, type Fleet, quote, quotes, setLimits, startFleet } from "@/e2e/process/fleet";
import { testStaleReaders } from "@/e2e/process/stale-readers";
import { readSome } from "@/e2e/process/stream-callers";
import { EventParser, Holding, openEvents, type StreamEvent } from "@/e2e/support/event-client";
import { createFilledDatabase } from "@/e2e/support/prepared-past";
import type { Spotline } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";
import { startTestServer } from "@/e2e/support/test-server";
import { canRunRedis, startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";

/** A server that receives prices, and others that answer calls, as on several machines: with one PostgreSQL and Redis. */

const database = canRunRedis ? await createFilledDatabase() : null;
if (canRunRedis && database === null) console.warn("SKIPPED: no PostgreSQL is reachable, so servers cannot share one");

describe.runIf(database !== null)("Servers that follow another one over Redis", () => {
  let redis: TestRedis;
  /** Between the writer and Redis. */
  let link: Awaited<ReturnType<typeof startCutter>>;
  let fleet: Fleet;
  let writer: Spotline;
  let followers: Spotline[] = [];
  let key = "";

  const steady = preferSteadySource();
  const env = (roles: string, rest: Readonly<Record<string, string>> = {}) => ({
    ...{ DATABASE_URL: database?.url ?? "", REDIS_URL: redis.url, SPOTLINE_REDIS_TIMEOUT_MS: "1000" },
    ...{ SPOTLINE_ROLES: roles, SPOTLINE_KEEP_TICKS: "EURUSD,GBPUSD", ...steady, ...rest },
  });
  beforeAll(async () => {
    redis = await startTestRedis();
    link = await startCutter(redis.url);
    fleet = await startFleet(1, env("writer,api", { REDIS_URL: link.url }));
    [writer] = fleet.servers as [Spotline];
    followers = await Promise.all([
      startTestServer({ env: env("api") }),
      startTestServer({ env: env("api,pages", { SPOTLINE_API_PROCESSES: "2" }) }),
    ]);
    await setLimits(fleet, {});
    ({ key } = await createKey(fleet));
  });
  afterAll(async () => {
    redis.thaw();
    await Promise.all([writer, ...followers].map((server) => server.stop()));
    link.close();
    await redis.remove();
    await database?.drop();
  });

  const readPrice = async ({ url }: Spotline, symbol: string) => {
    const response = await fetch(`${url}/v1/quote?symbol=${symbol}`, { headers: { "X-API-Key": key } });
    return { status: response.status, state: response.headers.get("x-quote-state"), body: await response.text() };
  };
  const expectEqualPrices = () =>
    vi.waitFor(
      async () => {
        const answers = await Promise.all([writer, ...followers].map((server) => readPrice(server, "EURUSD")));
        expect(answers[0]).toMatchObject({ status: 200, state: "live" });
        for (const answer of answers) expect(answer).toEqual(answers[0]);
      },
      // The price changes between the reads, more often so on a busy machine.
      { timeout: 40_000, interval: 20 },
    );

  interface Ticks {
    readonly count: number;
    readonly ticks: readonly { readonly time: string }[];
  }

  async function readTicks({ url }: Spotline, fromMs: number, toMs: number): Promise<Ticks | undefined> {
    const range = `from=${new Date(fromMs).toISOString()}&to=${new Date(toMs).toISOString()}`;
    const response = await fetch(`${url}/v1/ticks?symbol=EURUSD&${range}`, { headers: { "X-API-Key": key } });
    return ((await response.json()) as { data?: Ticks }).data;
  }

  /** Expects the same recorded ticks of all servers. On a busy machine, prices pause; so each attempt reads newer ones. */
  async function compareTicks(servers: readonly Spotline[]) {
    await vi.waitFor(
      async () => {
        const fromMs = Date.now() - 5_000;
        const [own, ...others] = await Promise.all(servers.map((server) => readTicks(server, fromMs, fromMs + 3_000)));
        expect(own?.count).toBeGreaterThan(1);
        for (const each of others) expect(each).toEqual(own);
      },
      { timeout: 40_000, interval: 200 },
    );
  }

  test("tell the operator's command the state of the server that records", async () => {
    const listFeeds = async (server: Spotline) =>
      (await server.cli<{ feeds: { source: string }[] }>("status")).feeds.map(({ source }) => source);
    const [first, ...others] = await Promise.all([writer, ...followers].map(listFeeds));
    expect(first).not.toEqual([]);
    for (const other of others) expect(other).toEqual(first);
  });

  test("answer the same prices and the same recorded ticks", async () => {
    await expectEqualPrices();
    await compareTicks([writer, ...followers]);
  });

  test.each(["1s", "tick"])(
    "continue each other's replay of %s at any byte, with the same events",
    async (resolution) => {
      const second = Math.floor(Date.now() / 1_000) - 5;
      const toText = (at: number) => new Date(at * 1_000).toISOString();
      // The log begins with the server, and is written a moment later.
      const path = `/v1/stream?symbols=EURUSD,GBPUSD,USDJPY&from=${toText(second - 10)}&to=${toText(second)}&resolution=${resolution}`;
      const read = async (server: Spotline, lastId: string | null) => {
        const stream = await openEvents(server.url + path, { "X-API-Key": key, "Last-Event-ID": lastId ?? "" });
        await stream.ended;
        return stream;
      };
      const withoutHeartbeats = ({ text }: { text: () => string }) =>
        text().replace(/event: heartbeat\ndata: .*\n\n/g, "");
      const listQuotes = (events: readonly StreamEvent[]) => events.filter(({ name }) => name === "quote");
      let whole = await read(writer, null);
      await vi.waitFor(async () => {
        whole = await read(writer, null);
        expect(listQuotes(whole.events).length).toBeGreaterThan(5);
        const done = whole.events.at(-1)?.data as { readonly time: string };
        expect(Date.parse(done.time)).toBe(second * 1_000);
      }, 20_000);
      const size = whole.text().length;
      for (const [turn, follower] of followers.entries()) {
        expect(withoutHeartbeats(await read(follower, null))).toBe(withoutHeartbeats(whole));
        const parser = new EventParser();
        const held = new Holding();
        const bytes = await readSome(writer.url, path, key, null, Math.floor((size * (turn + 1)) / 3));
        for (const event of parser.push(bytes)) held.apply(event);
        const rest = await read(follower, parser.lastId);
        for (const event of rest.events) held.apply(event);
        expect(held.quotes).toEqual(whole.holding.quotes);
        expect(rest.text().length).toBeLessThan(size);
      }
    },
  );

  // While more than a thousand calls are left, servers are granted several at once.
  test.each([30, 1_500])("admit exactly the limit together: %i calls", async (perMinute) => {
    await setLimits(fleet, { perMinute });
    const caller = await createKey(fleet);
    expect(countByStatus(await quotes(perMinute + 90, followers, caller.key))).toEqual({ 200: perMinute, 429: 90 });
    await setLimits(fleet, {});
  });

  test.each<[fault: string, begin: () => unknown, end: () => unknown]>([
    ["Redis is silent", () => redis.freeze(), () => redis.thaw()],
    ["Redis is gone", () => redis.kill(), () => redis.restart()],
    ["the writer's connection to Redis is silent", () => link.silence(), () => link.restore()],
    ["the writer cannot connect to Redis", () => link.refuse(), () => link.restore()],
  ])("answer nothing while %s, and agree again afterwards", async (_, begin, end) => {
    await begin();
    try {
      for (const follower of followers) {
        await vi.waitFor(
          async () => {
            const { status, reader } = await readReady(follower);
            expect([status, reader?.status]).toEqual([503, "down"]);
          },
          { timeout: 40_000, interval: 200 },
        );
        expect((await quote(follower, key)).status).toBe(503);
      }
      expect((await quote(writer, key)).status).toBe(200);
    } finally {
      await end();
    }
    await vi.waitFor(
      async () => {
        for (const follower of followers) expect((await readReady(follower)).status).toBe(200);
      },
      { timeout: 40_000, interval: 50 },
    );
    await expectEqualPrices();
  });

  testStaleReaders(() => ({ redis, fleet, followers, key }));

  test("follow the server that takes over from one that is stopped, which writes no more when it goes on", async () => {
    const second = await startTestServer({ env: env("writer") });
    const refused = await quote(second, key);
    expect([refused.status, refused.error?.["code"]]).toEqual([404, "NOT_FOUND"]);
    const first = writer;
    writer = second;
    process.kill(first.pid, "SIGSTOP");
    try {
      // Three seconds after the last renewal; a busy machine adds its own.
      await vi.waitFor(() => expect(second.output()).toContain("has taken over recording"), 20_000);
      await expectFollowersOfWriter();
    } finally {
      process.kill(first.pid, "SIGCONT");
    }
    // It still takes itself for the one that records.
    await vi.waitFor(() => expect(first.output()).toMatch(/this one is its standby|lease/), { timeout: 40_000 });
    await expectFollowersOfWriter();
    await compareTicks([first, ...followers]);
    await first.stop();
  });

  test("serve the ticks that they had served before, each once, after the server that records was killed", async () => {
    const first = writer;
    writer = await startTestServer({ env: env("writer") });
    const killedAtMs = Date.now();
    const [fromMs, toMs] = [killedAtMs - 12_000, killedAtMs - 2_000];
    const served = await Promise.all(followers.map((follower) => readTicks(follower, fromMs, toMs)));
    expect(served[0]?.count).toBeGreaterThan(1);
    process.kill(first.pid, "SIGKILL");
    await vi.waitFor(() => expect(writer.output()).toContain("has taken over recording"), 20_000);
    await expectFollowersOfWriter();
    for (const [index, follower] of followers.entries()) {
      expect(await readTicks(follower, fromMs, toMs)).toEqual(served[index]);
      const times = (await readTicks(follower, fromMs, Date.now()))?.ticks.map(({ time }) => time) ?? [];
      expect(times).toEqual([...new Set(times)].sort());
    }
    await compareTicks(followers);
  });

  async function expectFollowersOfWriter(): Promise<void> {
    await vi.waitFor(
      async () => {
        for (const follower of followers) {
          expect((await readReady(follower)).status).toBe(200);
          expect(await readPrice(follower, "EURUSD")).toMatchObject({ status: 200, state: "live" });
        }
      },
      { timeout: 40_000, interval: 50 },
    );
  }
});
