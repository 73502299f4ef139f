import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { METRICS, testMetrics } from "@/e2e/process/api-process-metrics";
import { keepCalling, listChildren, listListening, readReady } from "@/e2e/process/api-process-scene";
import { createKey, type Fleet, pause, setLimits, startFleet } from "@/e2e/process/fleet";
import { type EventStream, openEvents } from "@/e2e/support/event-client";
import type { Spotline } from "@/e2e/support/spotline";
import { preferSteadySource } from "@/e2e/support/steady-source";

/** A server whose calls several processes answer: its metrics, then ends, hangs and pauses of each of them. */

const PROCESSES = 2;
let fleet: Fleet;
let server: Spotline;
let key = "";
const streams: EventStream[] = [];

beforeAll(async () => {
  fleet = await startFleet(1, { SPOTLINE_API_PROCESSES: String(PROCESSES), ...METRICS, ...preferSteadySource() });
  server = fleet.servers[0] as Spotline;
  await setLimits(fleet, {});
  ({ key } = await createKey(fleet));
});
afterAll(async () => {
  for (const stream of streams) stream.close();
  await server.stop();
});

const open = async (headers: Readonly<Record<string, string>> = {}) => {
  const stream = await openEvents(`${server.url}/v1/stream?symbols=EURUSD,BTCUSD`, { "X-API-Key": key, ...headers });
  streams.push(stream);
  return stream;
};

describe("The metrics of several processes that answer calls", () => testMetrics(() => ({ server, key })));

describe("Several processes that answer calls", () => {
  test("report how far they are behind the writer", async () => {
    const { status, reader } = await readReady(server);
    expect([status, reader]).toEqual([200, { status: "ok", behind_ms: expect.any(Number), behind_changes: 0 }]);
    expect(reader?.behind_ms).toBeLessThan(1_000);
  });

  test("name only parts in /ready that docs/operating.md explains", async () => {
    const { components } = await readReady(server);
    const text = await readFile("docs/operating.md", "utf8");
    const explained = [...text.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name);
    expect(Object.keys(components)).toEqual(expect.arrayContaining(["database", "writer", "reader"]));
    expect(explained).toEqual(expect.arrayContaining(Object.keys(components)));
  });

  test("count the streams of a key together, and a killed one's streams no more", async () => {
    const caller = await createKey(fleet);
    const url = `${server.url}/v1/stream?symbols=EURUSD`;
    const openOne = () => openEvents(url, { "X-API-Key": caller.key });
    const opened: EventStream[] = [];
    let last = await openOne();
    for (; last.status === 200; last = await openOne()) opened.push(last);
    streams.push(...opened, last);
    await last.ended;
    expect(JSON.parse(last.text())).toMatchObject({ error: { code: "TOO_MANY_STREAMS", limit: opened.length } });
    opened.pop()?.close();
    await vi.waitFor(async () => {
      const stream = await openOne();
      streams.push(stream);
      expect(stream.status).toBe(200);
    });
    for (const pid of listChildren(server)) process.kill(pid, "SIGKILL");
    await vi.waitFor(async () => expect((await openOne()).status).toBe(200), { timeout: 60_000, interval: 200 });
  });

  test("answer on while one is killed under load, and the killed one comes back", async () => {
    await vi.waitFor(async () => expect((await readReady(server)).status).toBe(200), 60_000);
    // Without another one that listens, the port would be closed until one does.
    await vi.waitFor(() => expect(listListening(server)).toHaveLength(PROCESSES), 60_000);
    const stream = await open();
    const calls = keepCalling(server, key, 12);
    await pause(500);
    const [victim = 0] = listChildren(server);
    process.kill(victim, "SIGKILL");
    await vi.waitFor(
      () => {
        expect(listListening(server)).toHaveLength(PROCESSES);
        expect(listListening(server)).not.toContain(victim);
      },
      { timeout: 60_000 },
    );
    await pause(1_500);
    const { answered, refused, cut, older } = await calls.stop();
    expect(answered).toBeGreaterThan(100);
    expect([refused, older]).toEqual([{}, []]);
    // Only the connections of the killed process were cut, and each at most once.
    expect(cut).toBeLessThanOrEqual(24);
    const again = stream.response.destroyed ? await open({ "Last-Event-ID": stream.parser.lastId ?? "" }) : stream;
    await vi.waitFor(() => expect(again.holding.quotes.size).toBe(2), 15_000);
  });

  test("stop to answer while the writer is stopped, and answer again within five seconds of its return", async () => {
    await vi.waitFor(async () => expect((await readReady(server)).status).toBe(200), 60_000);
    process.kill(server.pid, "SIGSTOP");
    try {
      await vi.waitFor(
        async () => expect((await readReady(server)).components.writer).toEqual({ status: "degraded" }),
        { timeout: 4_000, interval: 50 },
      );
      await vi.waitFor(
        async () => {
          const { status, reader } = await readReady(server);
          expect([status, reader?.status]).toEqual([503, "down"]);
          expect(reader?.behind_ms).toBeGreaterThanOrEqual(5_000);
        },
        { timeout: 15_000, interval: 100 },
      );
      const response = await fetch(`${server.url}/v1/quote?symbol=EURUSD`, { headers: { "X-API-Key": key } });
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: { code: "SERVICE_UNAVAILABLE" } });
    } finally {
      process.kill(server.pid, "SIGCONT");
    }
    await vi.waitFor(
      async () => {
        const calls = Array.from({ length: 12 }, async () => {
          const response = await fetch(`${server.url}/v1/quote?symbol=EURUSD`, {
            headers: { "X-API-Key": key, Connection: "close" },
          });
          return [response.status, response.headers.get("x-quote-state")];
        });
        for (const answer of await Promise.all(calls)) expect(answer).toEqual([200, "live"]);
      },
      { timeout: 5_000, interval: 100 },
    );
  });

  test("end with a writer that is killed, so that the next one can have the port", async () => {
    const pids = listChildren(server);
    process.kill(server.pid, "SIGKILL");
    const isRunning = (pid: number) => {
      try {
        process.kill(pid, 0);
        return true;
      } catch {
        return false;
      }
    };
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]), 5_000);
    await expect(fetch(`${server.url}/ready`)).rejects.toThrow();
  });
});
