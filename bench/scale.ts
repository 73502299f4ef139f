import { fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { load, requireWrk } from "@/bench/wrk";
import { withAccess } from "@/e2e/support/access";
import { createEmbeddedPlace } from "@/e2e/support/prepared-past";
import { startSpotline, WITHOUT_PAGES } from "@/e2e/support/spotline";
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
 * Measures what several processes cost: the processor time of a request, of all processes together, with one and with two
 * processes that answer calls; and the delay from a price to readers at 2,500 changes a second. The servers have the
 * first core, the load generator the second. Two processes that share a core evict each other's code from its caches,
 * which they would not do on two cores; that is a part of what is printed.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** The processor time of a server that only follows its prices, as a part of the time. */
const IDLE_SHARE = 0.15;
const MOST_PERCENT = 5;
const MOST_IDLE_WAITS = 30;
const CHANGES_A_SECOND = 2_500;
const READERS = 2;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 5;
const TICKS_A_SECOND = 100;

async function main(): Promise<void> {
  await requireWrk();
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
  await measureDelay();
  await measureCosts();
}

/** Prints the microseconds of a request with one process and with two, which take turns: medians of the rounds. */
async function measureCosts(): Promise<void> {
  const fleets: Fleet[] = [];
  try {
    fleets.push(await startFleet(1), await startFleet(2));
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
    const [one = 0, two = 0] = costs.map(findMedian);
    const percent = (two / one - 1) * 100;
    console.log(`1 process: ${one.toFixed(1)} µs a request; 2 processes: ${two.toFixed(1)} µs`);
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
  /** The processor seconds of the server and all that it started, during some work. */
  countWork(work: () => Promise<unknown>): Promise<number>;
  stop(): Promise<void>;
}

async function startFleet(processes: number): Promise<Fleet> {
  const { place, remove } = await createEmbeddedPlace();
  const server = await startSpotline({
    env: { ...WITHOUT_PAGES, ...place, SPOTLINE_API_PROCESSES: String(processes) },
    wrapper: ["taskset", "-c", "0"],
    discardLog: true,
  });
  const key = await createKey(place);
  const request = { method: "GET", path: "/v1/quote?symbol=EURUSD", headers: { "X-API-Key": key } } as const;
  return {
    async run(seconds) {
      return (await load(server.url, request, seconds, CONNECTIONS)).requestsPerSecond;
    },
    async countWork(work) {
      const before = countSeconds(server.pid);
      await work();
      return countSeconds(server.pid) - before;
    },
    async stop() {
      await server.stop();
      await remove();
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
