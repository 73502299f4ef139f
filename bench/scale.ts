import { fork } from "node:child_process";
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
import { Publisher } from "@/lib/readers/publisher";
import { ReaderProcess } from "@/lib/readers/reader-process";

/**
 * Measures what several processes cost: the processor time of a request, of all processes together, with one and with two
 * processes that answer calls; and the delay from a price to readers at 2,500 changes a second. The servers have the
 * first core, the load generator the second.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 10);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** The processor time of a server that only follows its prices, as a part of the time. */
const IDLE_SHARE = 0.15;
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
  const fleets = [await startFleet(1), await startFleet(2)];
  try {
    for (const fleet of fleets) await fleet.run(WARM_UP_SECONDS);
    // A server that has just started catches up on its history.
    while (Math.max(...(await measureIdle(fleets))) > IDLE_SHARE * SECONDS) await pause(SECONDS * 1_000);
    const idle: number[][] = fleets.map(() => []);
    const costs: number[][] = fleets.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (const [index, seconds] of (await measureIdle(fleets)).entries()) idle[index]?.push(seconds);
      for (const [index, fleet] of fleets.entries()) {
        let requests = 0;
        const busy = await fleet.countWork(async () => {
          requests = (await fleet.run(SECONDS)).requestsPerSecond * SECONDS;
        });
        costs[index]?.push(((busy - findMedian(idle[index] ?? [])) / requests) * 1e6);
      }
    }
    const [one = 0, two = 0] = costs.map(findMedian);
    console.log(`1 process: ${one.toFixed(1)} µs a request; 2 processes: ${two.toFixed(1)} µs`);
    console.log(`a request costs ${((two / one - 1) * 100).toFixed(1)} % more with 2 processes; at most 5 %`);
  } finally {
    for (const fleet of fleets) await fleet.stop();
  }
}

function findMedian(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}

/** The processor seconds of each server in a round without requests. */
async function measureIdle(fleets: readonly Fleet[]): Promise<number[]> {
  const wait = pause(SECONDS * 1_000);
  return Promise.all(fleets.map((fleet) => fleet.countWork(() => wait)));
}

type Fleet = Awaited<ReturnType<typeof startFleet>>;

async function startFleet(processes: number) {
  const { place, remove } = await createEmbeddedPlace();
  const server = await startSpotline({
    env: { ...WITHOUT_PAGES, ...place, SPOTLINE_API_PROCESSES: String(processes) },
    wrapper: ["taskset", "-c", "0"],
    discardLog: true,
  });
  const key = await createKey(place);
  const request = { method: "GET", path: "/v1/quote?symbol=EURUSD", headers: { "X-API-Key": key } } as const;
  return {
    run: (seconds: number) => load(server.url, request, seconds, CONNECTIONS),
    /** The processor seconds of the server and all that it started, during some work. */
    async countWork(work: () => Promise<unknown>): Promise<number> {
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
    ...{ book: { sources: () => [] }, listSources: () => [], isInPast: false, instruments, marketNow: Date.now },
    ...{ saveHistory: async () => {}, lagMs: () => 0, everyMs: 10, log: silentLog },
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
  publisher.stop();
}

await main();
