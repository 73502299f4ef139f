import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { readReady } from "@/e2e/process/api-process-scene";
import { createKey, type Fleet, startFleet } from "@/e2e/process/fleet";
import { withAccess } from "@/e2e/support/access";
import { openEvents } from "@/e2e/support/event-client";
import { createFilledDatabase } from "@/e2e/support/prepared-past";
import { SESSION_COOKIE, startTestSession } from "@/e2e/support/sessions";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { canRunRedis, startTestRedis, type TestRedis } from "@/lib/platform/testing/redis";

/** Streams and pages of servers whose prices are too old, because they get no changes of the server that they follow. */

const database = canRunRedis ? await createFilledDatabase() : null;
if (canRunRedis && database === null) console.warn("SKIPPED: no PostgreSQL is reachable, so servers cannot share one");

const REFUSAL = { success: false, error: { code: "SERVICE_UNAVAILABLE", message: expect.any(String) as string } };
const PAGE_DATA = [
  "/landing/quote",
  "/overview/data",
  "/live/now?topic=board",
  "/live/stream?topic=board&topic=alerts",
  "/live/stream?topic=symbol/BTCUSD",
];

describe.runIf(database !== null)("A server that gets no changes", () => {
  let redis: TestRedis;
  let fleet: Fleet;
  let followers: Spotline[] = [];
  let key = "";

  beforeAll(async () => {
    redis = await startTestRedis();
    const shared = { DATABASE_URL: database?.url ?? "", REDIS_URL: redis.url };
    const follow = (SPOTLINE_ROLES: string, SPOTLINE_API_PROCESSES: string) =>
      startTestServer({ env: { ...shared, SPOTLINE_ROLES, SPOTLINE_API_PROCESSES } });
    fleet = await startFleet(1, shared);
    followers = await Promise.all([follow("api", "1"), follow("api,pages", "2")]);
    ({ key } = await createKey(fleet));
  });
  afterAll(async () => {
    redis.thaw();
    await Promise.all([...fleet.servers, ...followers].map((server) => server.stop()));
    await redis.remove();
    await database?.drop();
  });

  const openSocket = ({ url }: Spotline) =>
    new WebSocket(`${url.replace("http", "ws")}/ws/v1/quotes?symbols=BTCUSD`, { headers: { "X-API-Key": key } });

  /** Opens a stream of each kind. `readEnds` resolves with how they have ended. */
  async function openStreams(server: Spotline) {
    const events = await openEvents(`${server.url}/v1/stream?symbols=BTCUSD`, { "X-API-Key": key });
    const socket = openSocket(server);
    const closed = once(socket, "close") as Promise<[code: number, reason: Buffer]>;
    await once(socket, "open");
    return async function readEnds() {
      await events.ended;
      const [code, reason] = await closed;
      return [events.status, events.events.at(-1), code, String(reason)];
    };
  }

  async function openRefusedSocket(server: Spotline) {
    const socket = openSocket(server).on("error", () => {});
    const opened = once(socket, "open").then(() => expect.fail("The WebSocket was opened"));
    const [, response] = (await Promise.race([once(socket, "unexpected-response"), opened])) as [
      unknown,
      IncomingMessage,
    ];
    const text = (await response.toArray()).join("");
    return { status: response.statusCode, body: JSON.parse(text) as unknown };
  }

  /** Reads the data of pages with a new session of the account. */
  async function readPages({ url }: Spotline) {
    const session = await withAccess(fleet.servers[0]?.place as Spotline["place"], ({ database: joined }) =>
      startTestSession(joined, fleet.accountId),
    );
    const headers = { Cookie: `${SESSION_COOKIE}=${session}` };
    return Promise.all(
      PAGE_DATA.map(async (path) => {
        const { status, body } = await fetch(url + path, { headers });
        await body?.cancel();
        return status;
      }),
    );
  }

  const TIME = { timeout: 60_000, interval: 200 };

  const expectReady = (server: Spotline, status: number) =>
    vi.waitFor(async () => expect((await readReady(server)).status).toBe(status), TIME);

  const expectPages = (server: Spotline, expected: number) =>
    vi.waitFor(async () => {
      for (const status of await readPages(server)) expect(status).toBe(expected);
    }, TIME);

  /** Opens a stream until it is accepted: one of two processes may be current before the other. */
  const expectStream = (server: Spotline) =>
    vi.waitFor(async () => {
      const stream = await openEvents(`${server.url}/v1/stream?symbols=BTCUSD`, { "X-API-Key": key });
      stream.close();
      expect(stream.status).toBe(200);
    }, TIME);

  test("ends its streams and opens none, and its pages get no data, until it gets changes again", async () => {
    const withPages = followers[1] as Spotline;
    await expectPages(withPages, 200);
    const streams = await Promise.all(followers.map(openStreams));
    redis.freeze();
    try {
      for (const follower of followers) {
        await expectReady(follower, 503);
        await vi.waitFor(
          async () => expect(await openRefusedSocket(follower)).toEqual({ status: 503, body: REFUSAL }),
          TIME,
        );
      }
      const end = { name: "end", data: REFUSAL };
      for (const readEnds of streams) expect(await readEnds()).toEqual([200, end, 1001, "SERVICE_UNAVAILABLE"]);
      await expectPages(withPages, 503);
    } finally {
      redis.thaw();
    }
    for (const follower of followers) {
      await expectReady(follower, 200);
      await expectStream(follower);
    }
    await expectPages(withPages, 200);
  });
});
