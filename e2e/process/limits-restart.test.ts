import { afterEach, describe, expect, test } from "vitest";
import {
  countByStatus,
  createKey,
  describeServer,
  pause,
  quote,
  quotes,
  setLimits,
  startFleet,
} from "@/e2e/process/fleet";
import { joinServer } from "@/e2e/support/access";
import { createPlace } from "@/e2e/support/prepared-past";
import { HOST_COMMANDS, type Place, type Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";

/** The counts of a process after a shutdown and after a kill. */

/** A restart must finish within the minute window, so the test is retried. */
const OPTIONS = { timeout: 240_000, retry: 2 };

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

/** Starts a server on a database that exists until the end of the test. */
async function startServer(host: "node" | "next") {
  const { place, remove } = await createPlace();
  undo.push(remove);
  const command = HOST_COMMANDS[host];
  const fleet = await startFleet(1, place, command);
  const [server] = fleet.servers as [Spotline];
  undo.push(() => server.stop());
  const start = async () => {
    const again = await startTestServer(describeServer(place, command));
    undo.push(() => again.stop());
    return again;
  };
  return { fleet, server, place, start };
}

/** Kills a server, so that it cannot write its counts. */
async function kill(server: Spotline): Promise<void> {
  process.kill(server.pid, "SIGKILL");
  await server.stop();
}

async function readCalls(place: Place, keyId: string): Promise<Record<number, number>> {
  const database = await joinServer(place);
  try {
    const { rows } = await database.pool.query<{ status: number; calls: number }>(
      "SELECT status, sum(calls)::float8 AS calls FROM usage_hour WHERE key_id = $1 GROUP BY status",
      [keyId],
    );
    return Object.fromEntries(rows.map(({ status, calls }) => [status, calls]));
  } finally {
    await database.close();
  }
}

describe.each(["node", "next"] as const)("One process with the %s host", (host) => {
  test(
    "admits exactly 30 of 200 parallel calls, and continues the count after a restart within the window",
    OPTIONS,
    async () => {
      const { fleet, server, start } = await startServer(host);
      await setLimits(fleet, { perMinute: 30 });
      const full = await createKey(fleet);
      const begun = await createKey(fleet);
      const openedAtMs = Date.now();
      expect(countByStatus(await quotes(200, [server], full.key))).toEqual({ 200: 30, 429: 170 });
      expect(countByStatus(await quotes(20, [server], begun.key))).toEqual({ 200: 20 });
      const begunByMs = Date.now();
      expect(await server.stop()).toBe(0);
      const again = await start();
      const askedAtMs = Date.now();
      const [replies, others] = [await quotes(200, [again], begun.key), await quotes(20, [again], full.key)];
      // After the minute the windows are new, and the test would check nothing.
      expect(Date.now() - openedAtMs).toBeLessThan(60_000);
      expect(countByStatus(replies)).toEqual({ 200: 10, 429: 190 });
      expect(countByStatus(others)).toEqual({ 429: 20 });
      const reset = Number(replies[429]?.[0]?.headers.get("x-ratelimit-reset"));
      expect(reset).toBeLessThanOrEqual(Math.ceil((begunByMs + 60_000 - askedAtMs) / 1_000));
    },
  );
});

describe("A killed process", () => {
  test("loses at most the last second of its usage, minute and day counts", OPTIONS, async () => {
    const { fleet, server, place, start } = await startServer("node");
    await setLimits(fleet, { perMinute: 100, perDay: 150 });
    const { id, key } = await createKey(fleet);
    const openedAtMs = Date.now();
    expect(countByStatus(await quotes(40, [server], key))).toEqual({ 200: 40 });
    const missing = await fetch(`${server.url}/v1/quote?symbol=NOPE`, { headers: { "X-API-Key": key } });
    expect(missing.status).toBe(404);
    await pause(2_000);
    const atTheEnd = quotes(10, [server], key).catch(() => {});
    await kill(server);
    await atTheEnd;
    const again = await start();
    const written = await readCalls(place, id);
    expect(written[200]).toBeGreaterThanOrEqual(40);
    expect(written[200]).toBeLessThanOrEqual(50);
    expect(written[404]).toBe(1);
    const left = 100 - Number((await quote(again, key)).headers.get("x-ratelimit-remaining")) - 1;
    expect(Date.now() - openedAtMs).toBeLessThan(60_000);
    expect(left).toBeGreaterThanOrEqual(41);
    expect(left).toBeLessThanOrEqual(51);
    await setLimits(fleet, { perDay: (written[200] ?? 0) + 1 + 5 });
    expect(countByStatus(await quotes(20, [again], key))).toEqual({ 200: 5, 429: 15 });
  });

  test("has written every call that was answered a second before each of several kills", OPTIONS, async () => {
    const { fleet, server, place, start } = await startServer("node");
    await setLimits(fleet, {});
    const { id, key } = await createKey(fleet);
    let running = server;
    let safe = 0;
    let answered = 0;
    for (let round = 0; round < 3; round++) {
      const startedAtMs = Date.now();
      const killAtMs = startedAtMs + 2_500 + round * 333;
      const answeredAtMs: number[] = [];
      while (Date.now() < killAtMs) {
        expect((await quote(running, key)).status).toBe(200);
        answeredAtMs.push(Date.now());
        await pause(2);
      }
      await kill(running);
      // A second, and the duration of the write.
      safe += answeredAtMs.filter((atMs) => atMs < killAtMs - 1_500).length;
      answered += answeredAtMs.length;
      running = await start();
      const { 200: written = 0 } = await readCalls(place, id);
      expect(written).toBeGreaterThanOrEqual(safe);
      expect(written).toBeLessThanOrEqual(answered);
      safe = written;
      answered = written;
    }
  });
});
