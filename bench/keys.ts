import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildUnchecked } from "@/bench/unchecked-build";
import { load, requireWrk, type LoadRequest } from "@/bench/wrk";
import { withAccess } from "@/e2e/support/access";
import { startSpotline, type Spotline } from "@/e2e/support/spotline";
import { instruments } from "@/lib/market/catalog";
import { NO_LIMIT } from "@/lib/access/plans";
import { joinDatabase } from "@/lib/platform/database";
import { silentLog } from "@/lib/platform/log";

/**
 * What a verified key adds to a request: finding the key, its address list, both limits, scope and plan, and counting
 * the call, beside the same server with all of that compiled out. Both run on the first core, the load comes from the
 * second, and they take turns. What is compared is the processor time of a request: a machine that does something else
 * for a moment changes how many there are in a second, but hardly what each takes. A process keeps the pace that its
 * compiler happened to give it, so there are several pairs of them. Build before: `npm run build`.
 */

const PAIRS = Number(process.env.BENCH_PAIRS ?? 6);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 6);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2);
const WARM_UP_SECONDS = 6;
const CONNECTIONS = 32;
const FILLING_TIMEOUT_MS = 900_000;
const TARGET_PERCENT = 10;
const wrapper = ["taskset", "-c", "0"];

const paths = [
  "/v1/quote?symbol=EURUSD",
  "/v1/spread?symbol=EURUSD",
  "/v1/indicator?symbol=EURUSD&timeframe=H1&indicator=RSI_14",
];

/** What a request took, and how many there were in a second. */
interface Pace {
  readonly microseconds: number;
  readonly requestsPerSecond: number;
}

async function main(): Promise<void> {
  await requireWrk();
  const unchecked = await buildUnchecked();
  const folder = await mkdtemp(join(tmpdir(), "spotline-bench-"));
  try {
    const filled = join(folder, "filled");
    const secret = await fill(filled);
    const paces = paths.map(() => ({ checked: [] as Pace[], bare: [] as Pace[], added: [] as number[] }));
    for (let pair = 0; pair < PAIRS; pair++) {
      const servers: Spotline[] = [];
      try {
        for (const command of [["dist/server.mjs"], [unchecked]]) {
          const dataDir = join(folder, `${pair}-${servers.length}`);
          await cp(filled, dataDir, { recursive: true });
          servers.push(await startSpotline({ wrapper, command, dataDir, discardLog: true }));
        }
        const [checked, bare] = servers as [Spotline, Spotline];
        await assertDifferent(checked, bare);
        for (const [index, path] of paths.entries()) {
          const request: LoadRequest = { method: "GET", path, headers: { "X-API-Key": secret } };
          const own = await measure(request, checked, bare);
          const kept = paces[index] as (typeof paces)[number];
          kept.checked.push(...own.checked);
          kept.bare.push(...own.bare);
          kept.added.push((median(own.checked.map(inTime)) / median(own.bare.map(inTime)) - 1) * 100);
        }
      } finally {
        for (const server of servers) await server.stop();
      }
    }
    report(paces);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A data folder in which the past has been filled in, which takes a thread's whole attention for minutes. */
async function fill(dataDir: string): Promise<string> {
  const server = await startSpotline({ dataDir, discardLog: true });
  try {
    const deadline = Date.now() + FILLING_TIMEOUT_MS;
    const database = await joinDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
    try {
      for (;;) {
        const { rows } = await database.pool.query<{ filled: number }>("SELECT count(*)::int4 AS filled FROM backfill");
        if (rows[0]?.filled === instruments.length) break;
        if (Date.now() > deadline) throw new Error("the past has not been filled in");
        await new Promise((resolve) => setTimeout(resolve, 2_000));
      }
    } finally {
      await database.close();
    }
    return await withAccess({ SPOTLINE_DATA_DIR: dataDir }, async ({ accounts, keys }) => {
      const email = "bench@example.com";
      const { id } = await accounts.create({ email, password: "a long enough password", plan: "enterprise" });
      await accounts.setLimits(id, { perMinute: NO_LIMIT, perDay: NO_LIMIT });
      const asked = { accountId: id, label: "bench", scopes: ["all"], addresses: ["127.0.0.0/8"] };
      return (await keys.create(asked)).secret;
    });
  } finally {
    await server.stop();
  }
}

async function assertDifferent(checked: Spotline, bare: Spotline): Promise<void> {
  const status = async ({ url }: Spotline) => (await fetch(`${url}/v1/sessions`)).status;
  if ((await status(checked)) !== 401) throw new Error("the checked server does not check");
  if ((await status(bare)) !== 200) throw new Error("the unchecked server checks");
}

async function measure(request: LoadRequest, checked: Spotline, bare: Spotline) {
  for (const { url } of [checked, bare]) await load(url, request, WARM_UP_SECONDS, CONNECTIONS);
  const paces = { checked: [] as Pace[], bare: [] as Pace[] };
  for (let round = 0; round < ROUNDS; round++) {
    const first = round % 2 === 0;
    if (first) paces.checked.push(await paceOf(checked, request));
    paces.bare.push(await paceOf(bare, request));
    if (!first) paces.checked.push(await paceOf(checked, request));
  }
  return paces;
}

async function paceOf({ url, pid }: Spotline, request: LoadRequest): Promise<Pace> {
  const before = await processorTimeUs(pid);
  const { requestsPerSecond, requests } = await load(url, request, SECONDS, CONNECTIONS);
  return { requestsPerSecond, microseconds: ((await processorTimeUs(pid)) - before) / requests };
}

/** What all threads of a process have run for so far. */
async function processorTimeUs(pid: number): Promise<number> {
  const folder = `/proc/${pid}/task`;
  const times = (await readdir(folder)).map(async (thread) => {
    const [runningNs] = (await readFile(`${folder}/${thread}/schedstat`, "utf8")).split(" ");
    return Number(runningNs) / 1_000;
  });
  return (await Promise.all(times)).reduce((sum, time) => sum + time, 0);
}

const inTime = ({ microseconds }: Pace) => microseconds;
const inRate = ({ requestsPerSecond }: Pace) => requestsPerSecond;

function report(paces: readonly { checked: Pace[]; bare: Pace[]; added: number[] }[]): void {
  console.log(`${PAIRS} pairs of processes, ${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections\n`);
  console.log("| request | unchecked | checked | a key adds, median | pair by pair | target |");
  console.log("|---|---|---|---|---|---|");
  for (const [index, { checked, bare, added }] of paces.entries()) {
    const share = median(added);
    if (share > TARGET_PERCENT) process.exitCode = 1;
    const told = (of: readonly Pace[]) =>
      `${median(of.map(inTime)).toFixed(2)} µs, ${Math.round(median(of.map(inRate)))} req/s`;
    const pairs = added.map((each) => each.toFixed(1)).join(", ");
    const cells = [`GET ${paths[index]}`, told(bare), told(checked), `${share.toFixed(1)} %`, pairs];
    console.log(`| ${cells.join(" | ")} | at most ${TARGET_PERCENT} % |`);
  }
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] as number) + (sorted[Math.ceil(middle)] as number)) / 2;
}

await main();
