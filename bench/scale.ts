import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { load, requireWrk } from "@/bench/wrk";
import { listChildren } from "@/e2e/process/api-process-scene";
import { withAccess } from "@/e2e/support/access";
import { createEmbeddedPlace } from "@/e2e/support/prepared-past";
import { type Spotline, startSpotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { NO_LIMIT } from "@/lib/access/plans";
import type { Quote } from "@/lib/feeds/intake";
import { instruments } from "@/lib/market/catalog";
import { silentLog } from "@/lib/platform/log/log";
import { RedisStreams } from "@/lib/platform/redis-stream";
import { startTestRedis } from "@/lib/platform/testing/redis";
import { Publisher } from "@/lib/readers/publisher";
import { ReaderProcess } from "@/lib/readers/reader-process";
import { RedisPublisher } from "@/lib/readers/redis-publisher";
import { API_EVERY_MS } from "@/lib/runtime/start-readers";

/**
 * Measures what several processes cost: the processor time of a request, of all processes together, with two processes of
 * one server and with two servers of one process each; and the delay from a price to readers at 2,500 changes a second.
 *
 * The two servers share nothing, so what the processes of one server cost more is what they do for each other: they count
 * calls together and follow the writer. In both cases each core has one process and one load generator, because a process
 * that shares its core, its caches or the memory with more others takes longer for the same work.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** The processor time of a server that only follows its prices, as a part of the time. */
const IDLE_SHARE = 0.15;
const MOST_PERCENT = 5;
const MOST_IDLE_WAITS = 30;
const CHANGES_A_SECOND = 2_500;
const READERS = 2;
const CORES = [0, 1] as const;
/** Of each load generator. */
const CONNECTIONS = 16;
const WARM_UP_SECONDS = 5;
const TICKS_A_SECOND = 100;

async function main(): Promise<void> {
  await requireWrk();
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
  await measureDelay();
  await measureCosts();
}

/** Prints the microseconds of a request to two servers and to two processes, which take turns: medians of the rounds. */
async function measureCosts(): Promise<void> {
  const fleets: Fleet[] = [];
  try {
    fleets.push(await startServers(), await startProcesses());
    for (const fleet of fleets) await fleet.run(WARM_UP_SECONDS);
    await waitUntilIdle(fleets);
    const idle: number[][] = fleets.map(() => []);
    const costs: number[][] = fleets.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, seconds] of (await measureIdle(fleets)).entries()) idle[index]?.push(seconds);
      for (const [index, fleet] of fleets.entries()) {
        let requests = 0;
        const busy = await fleet.countWork(async () => {
          requests = (await fleet.run(SECONDS)) * SECONDS;
        });
        costs[index]?.push(((busy - findMedian(idle[index] ?? [])) / requests) * 1e6);
      }
    }
    const [servers = 0, processes = 0] = costs.map(findMedian);
    const percent = (processes / servers - 1) * 100;
    console.log(`2 servers: ${servers.toFixed(1)} µs a request; 2 processes: ${processes.toFixed(1)} µs`);
    console.log(`a request costs ${percent.toFixed(1)} % more with 2 processes; at most ${MOST_PERCENT} %`);
    if (percent > MOST_PERCENT) process.exitCode = 1;
  } finally {
    for (const fleet of fleets) await fleet.stop();
  }
}

/** A server that has just started catches up on its history. */
async function waitUntilIdle(fleets: readonly Fleet[]): Promise<void> {
  for (let time = 0; time < MOST_IDLE_WAITS; time++) {
    if (Math.max(...(await measureIdle(fleets))) <= IDLE_SHARE * SECONDS) return;
    await pause(SECONDS * 1_000);
  }
  throw new Error("The servers are busy without requests.");
}

function findMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The processor seconds of each server in a round without requests. */
async function measureIdle(fleets: readonly Fleet[]): Promise<number[]> {
  const wait = pause(SECONDS * 1_000);
  return Promise.all(fleets.map((fleet) => fleet.countWork(() => wait)));
}

interface Fleet {
  /** Sends requests for some seconds. Resolves with the requests a second. */
  run(seconds: number): Promise<number>;
  /** The processor seconds of all its processes during some work. */
  countWork(work: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

interface Started {
  readonly server: Spotline;
  readonly key: string;
  stop(): Promise<void>;
}

async function start(processes: number, wrapper: readonly string[]): Promise<Started> {
  const { place, remove } = await createEmbeddedPlace();
  const env = { ...WITHOUT_PAGES, ...place, SPOTLINE_API_PROCESSES: String(processes) };
  const server = await startSpotline({ env, wrapper, discardLog: true });
  return {
    server,
    key: await createKey(place),
    async stop() {
      await server.stop();
      await remove();
    },
  };
}

/** Starts one server of one process on each core. */
async function startServers(): Promise<Fleet> {
  const started: Started[] = [];
  for (const core of CORES) started.push(await start(1, ["taskset", "-c", String(core)]));
  return toFleet(started, started);
}

/** Starts one server with one process that answers calls on each core. The process that counts them may use both. */
async function startProcesses(): Promise<Fleet> {
  const started = await start(CORES.length, []);
  for (const [core, pid] of listChildren(started.server).entries()) {
    await promisify(execFile)("taskset", ["-apc", String(core), String(pid)]);
  }
  return toFleet(
    [started],
    CORES.map(() => started),
  );
}

/** @param targets the server for the load generator of each core */
function toFleet(started: readonly Started[], targets: readonly Started[]): Fleet {
  const count = () => started.reduce((sum, { server }) => sum + countSeconds(server.pid), 0);
  return {
    async run(seconds) {
      const loads = targets.map(({ server, key }, core) => {
        const request = { method: "GET", path: "/v1/quote?symbol=EURUSD", headers: { "X-API-Key": key } } as const;
        return load(server.url, request, seconds, CONNECTIONS, core);
      });
      return (await Promise.all(loads)).reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0);
    },
    async countWork(work) {
      const before = count();
      await work();
      return count() - before;
    },
    async stop() {
      for (const each of started) await each.stop();
    },
  };
}

async function createKey(place: Parameters<typeof withAccess>[0]): Promise<string> {
  return withAccess(place, async ({ accounts, keys }) => {
    const { id: accountId } = await accounts.create({ email: "bench@example.com", password: "correct horse battery" });
    await accounts.setLimits(accountId, { perMinute: NO_LIMIT, perDay: NO_LIMIT });
    return (await keys.create({ accountId, label: "bench", scopes: ["all"] })).secret;
  });
}

/** The processor seconds of a process and all that it started. */
function countSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const own = (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
  const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
  return children.reduce((sum, child) => sum + countSeconds(child), own);
}

async function measureDelay(): Promise<void> {
  const publisher = new Publisher({
    ...{
      book: { sources: () => [], findGapMs: () => undefined },
      listSources: () => [],
      isInPast: false,
      instruments,
      marketNow: Date.now,
    },
    ...{ saveHistory: async () => {}, lagMs: () => 0, everyMs: API_EVERY_MS, log: silentLog },
  });
  const writer = {
    ...{
      publisher,
      answer: async () => null,
      onRelease: () => {},
      onReturn: () => {},
      onStreamClose: () => {},
      onReaderEnd: () => {},
    },
  };
  const entry = new URL("scale/reader.ts", import.meta.url).pathname;
  const redis = await startTestRedis();
  const streams = new RedisStreams({ url: redis.url, log: silentLog });
  streams.start();
  new RedisPublisher({ streams, publisher, readFence: () => 1 }).start();
  const distant = fork(entry, [redis.url]);
  const readers = Array.from(
    { length: READERS },
    () => new ReaderProcess({ name: "reader", fork: () => fork(entry), writer, log: silentLog }),
  );
  await Promise.all(readers.map((reader) => reader.listening()));
  const startedAtMs = performance.now();
  let changes = 0;
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAtMs) * CHANGES_A_SECOND) / 1_000;
    for (; changes < due; changes++) {
      const instrument = instruments[changes % instruments.length];
      publisher.onQuote({ source: "x", instrument, bid: 1, ask: 1, timeMs: Date.now() } as Quote);
    }
  }, 2);
  await pause(SECONDS * 1_000);
  clearInterval(timer);
  await Promise.all(readers.map((reader) => reader.stop(0, 0)));
  distant.kill("SIGTERM");
  const [code] = (await once(distant, "exit")) as [number | null];
  if (code !== 0) process.exitCode = 1;
  publisher.stop();
  streams.stop();
  await redis.remove();
}

await main();
