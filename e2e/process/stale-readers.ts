import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import { readReady } from "@/e2e/process/api-process-scene";
import type { Fleet } from "@/e2e/process/fleet";
import { withAccess } from "@/e2e/support/access";
import { openEvents } from "@/e2e/support/event-client";
import { SESSION_COOKIE, startTestSession } from "@/e2e/support/sessions";
import type { Spotline } from "@/e2e/support/spotline";
import type { TestRedis } from "@/lib/platform/testing/redis";

/** Streams and pages of servers whose prices are too old, because they get no changes of the server that they follow. */

const REFUSAL = { success: false, error: { code: "SERVICE_UNAVAILABLE", message: expect.any(String) as string } };
const PAGE_DATA = [
  "/landing/quote",
  "/overview/data",
  "/live/now?topic=board",
  "/live/stream?topic=board&topic=alerts",
  "/live/stream?topic=symbol/BTCUSD",
];

interface Scene {
  readonly redis: TestRedis;
  readonly fleet: Fleet;
  /** Servers that follow another one over Redis. The last one has pages. */
  readonly followers: readonly Spotline[];
  readonly key: string;
}

/** Tests of servers that get no changes for a while. */
export function testStaleReaders(getScene: () => Scene): void {
  const openSocket = ({ url }: Spotline) =>
    new WebSocket(`${url.replace("http", "ws")}/ws/v1/quotes?symbols=BTCUSD`, {
      headers: { "X-API-Key": getScene().key },
    });

  /** Opens a stream of each kind. `readEnds` resolves with how they have ended. */
  async function openStreams(server: Spotline) {
    const events = await openEvents(`${server.url}/v1/stream?symbols=BTCUSD`, { "X-API-Key": getScene().key });
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
    const session = await withAccess(getScene().fleet.place, ({ database: joined }) =>
      startTestSession(joined, getScene().fleet.accountId),
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
      const stream = await openEvents(`${server.url}/v1/stream?symbols=BTCUSD`, { "X-API-Key": getScene().key });
      stream.close();
      expect(stream.status).toBe(200);
    }, TIME);

  test("end their streams and open none, and their pages get no data, until they get changes again", async () => {
    const { redis, followers } = getScene();
    const withPages = followers.at(-1) as Spotline;
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
}
