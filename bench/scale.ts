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
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 3);
const CHANGES_A_SECOND = 2_500;
const READERS = 2;
const CONNECTIONS = 32;
const WARM_UP_SECONDS = 5;
const TICKS_A_SECOND = 100;

async function main(): Promise<void> {
  await requireWrk();
  console.log(`load average ${loadavg()[0]?.toFixed(1)}`);
  await measureDelay();
  const costs = [];
  for (const processes of [1, 2]) costs.push(await measureCost(processes));
  const [one = 0, two = 0] = costs;
  console.log(`a request costs ${((two / one - 1) * 100).toFixed(1)} % more with 2 processes; at most 5 %`);
}

/** Returns the microseconds of a request: the median of the rounds. */
async function measureCost(processes: number): Promise<number> {
  const { place, remove } = await createEmbeddedPlace();
  const server = await startSpotline({
    env: { ...WITHOUT_PAGES, ...place, SPOTLINE_API_PROCESSES: String(processes) },
    wrapper: ["taskset", "-c", "0"],
    discardLog: true,
  });
  try {
    const key = await createKey(place);
    const request = { method: "GET", path: "/v1/quote?symbol=EURUSD", headers: { "X-API-Key": key } } as const;
    const run = (seconds: number) => load(server.url, request, seconds, CONNECTIONS);
    await run(WARM_UP_SECONDS);
    const costs: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const idle = await countWork(server.pid, () => pause(SECONDS * 500));
      let requests = 0;
      const busy = await countWork(server.pid, async () => {
        requests = (await run(SECONDS)).requestsPerSecond * SECONDS;
      });
      costs.push(((busy - 2 * idle) / requests) * 1e6);
    }
    costs.sort((a, b) => a - b);
    const median = costs[Math.floor(costs.length / 2)] ?? 0;
    console.log(`${processes} processes: ${median.toFixed(1)} µs a request`);
    return median;
  } finally {
    await server.stop();
    await remove();
  }
}

async function createKey(place: Parameters<typeof withAccess>[0]): Promise<string> {
  return withAccess(place, async ({ accounts, keys }) => {
    const { id: accountId } = await accounts.create({ email: "bench@example.com", password: "correct horse battery" });
    await accounts.setLimits(accountId, { perMinute: NO_LIMIT, perDay: NO_LIMIT });
    return (await keys.create({ accountId, label: "bench", scopes: ["all"] })).secret;
  });
}

/** The processor seconds of a process and all that it started, during some work. */
async function countWork(pid: number, work: () => Promise<unknown>): Promise<number> {
  const before = countSeconds(pid);
  await work();
  return countSeconds(pid) - before;
}

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
