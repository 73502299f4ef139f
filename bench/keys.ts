import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildKeysServer } from "@/bench/keys-build";
import { load, type LoadRequest, requireWrk } from "@/bench/wrk";
import { withAccess } from "@/e2e/support/access";
import { type Spotline, startSpotline } from "@/e2e/support/spotline";
import { NO_LIMIT } from "@/lib/access/plans";
import { instruments } from "@/lib/market/catalog";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { findFreePort } from "@/lib/platform/testing/free-port";

/**
 * Measures the time that a verified key adds to a request: finding the key, its allow-list, both limits, scope and plan,
 * and counting the call, compared with the same endpoint without these checks. One process serves both at two ports, so
 * both run in the same heap. They take turns by the second, so that other load affects both. Run `npm run build` before.
 */

const PROCESSES = Number(process.env.BENCH_PROCESSES ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 24);
const SECONDS = 1;
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 32;
const BACKFILL_TIMEOUT_MS = 900_000;
const TARGET_PERCENT = 10;

const PATHS = [
  "/v1/quote?symbol=EURUSD",
  "/v1/spread?symbol=EURUSD",
  "/v1/indicator?symbol=EURUSD&timeframe=H1&indicator=RSI_14",
];

/** Requests a second of both hosts in one turn. */
interface Turn {
  readonly checked: number;
  readonly bare: number;
}

async function main(): Promise<void> {
  await requireWrk();
  const command = [await buildKeysServer()];
  const dataDir = await mkdtemp(join(tmpdir(), "spotline-bench-"));
  try {
    let secret: string | undefined;
    const turns = PATHS.map((): Turn[][] => []);
    for (let nth = 0; nth < PROCESSES; nth++) {
      const uncheckedPort = await findFreePort();
      const env = { BENCH_UNCHECKED_PORT: String(uncheckedPort) };
      const checked = await startSpotline({ wrapper: ["taskset", "-c", "0"], command, dataDir, env, discardLog: true });
      try {
        const bareUrl = `http://127.0.0.1:${uncheckedPort}`;
        await assertDifferent(checked.url, bareUrl);
        secret ??= await prepare(checked);
        for (const [index, path] of PATHS.entries()) {
          const request: LoadRequest = { method: "GET", path, headers: { "X-API-Key": secret } };
          turns[index]?.push(await measure(request, checked.url, bareUrl));
        }
      } finally {
        await checked.stop();
      }
    }
    report(turns);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** Waits until the back-fill, which keeps a thread busy for minutes, is complete. Then creates a key. */
async function prepare({ dataDir }: Spotline): Promise<string> {
  const deadline = Date.now() + BACKFILL_TIMEOUT_MS;
  const database = await joinDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  try {
    for (;;) {
      const { rows } = await database.pool.query<{ filled: number }>("SELECT count(*)::int4 AS filled FROM backfill");
      if (rows[0]?.filled === instruments.length) break;
      if (Date.now() > deadline) throw new Error("the back-fill did not end in time");
      await new Promise((resolve) => setTimeout(resolve, 2_000));
    }
  } finally {
    await database.close();
  }
  return withAccess({ SPOTLINE_DATA_DIR: dataDir }, async ({ accounts, keys }) => {
    const email = "bench@example.com";
    const { id } = await accounts.create({ email, password: "a long enough password", plan: "enterprise" });
    await accounts.setLimits(id, { perMinute: NO_LIMIT, perDay: NO_LIMIT });
    const input = { accountId: id, label: "bench", scopes: ["all"], addresses: ["127.0.0.0/8"] };
    return (await keys.create(input)).secret;
  });
}

async function assertDifferent(checkedUrl: string, bareUrl: string): Promise<void> {
  const status = async (url: string) => (await fetch(`${url}/v1/sessions`)).status;
  if ((await status(checkedUrl)) !== 401) throw new Error("the checked endpoint does not check");
  if ((await status(bareUrl)) !== 200) throw new Error("the unchecked endpoint checks");
}

async function measure(request: LoadRequest, checkedUrl: string, bareUrl: string): Promise<Turn[]> {
  for (const url of [checkedUrl, bareUrl]) await load(url, request, WARM_UP_SECONDS, CONNECTIONS);
  const rate = async (url: string) => (await load(url, request, SECONDS, CONNECTIONS)).requestsPerSecond;
  const turns: Turn[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    // The order alternates, so that a machine that becomes slower or faster favours neither.
    const first = await rate(round % 2 === 0 ? checkedUrl : bareUrl);
    const second = await rate(round % 2 === 0 ? bareUrl : checkedUrl);
    turns.push(round % 2 === 0 ? { checked: first, bare: second } : { checked: second, bare: first });
  }
  return turns;
}

const measureAdded = (turns: readonly Turn[]) =>
  getQuartiles(turns.map(({ checked, bare }) => (bare / checked - 1) * 100));

function report(measured: readonly Turn[][][]): void {
  console.log(`${PROCESSES} processes, ${ROUNDS} turns of ${SECONDS} s each, ${CONNECTIONS} connections, one core\n`);
  console.log("| request | unchecked req/s | checked req/s | a key adds, median | quartiles | by process | target |");
  console.log("|---|---|---|---|---|---|---|");
  for (const [index, processes] of measured.entries()) {
    const all = processes.flat();
    const share = measureAdded(all);
    if (share.median > TARGET_PERCENT) process.exitCode = 1;
    const cells = [
      `GET ${PATHS[index]}`,
      Math.round(getQuartiles(all.map(({ bare }) => bare)).median),
      Math.round(getQuartiles(all.map(({ checked }) => checked)).median),
      `${share.median.toFixed(1)} %`,
      `${share.lower.toFixed(1)} to ${share.upper.toFixed(1)} %`,
      processes.map((turns) => measureAdded(turns).median.toFixed(1)).join(", "),
      `at most ${TARGET_PERCENT} %`,
    ];
    console.log(`| ${cells.join(" | ")} |`);
  }
}

/** Computes the median and the quartiles. */
function getQuartiles(values: readonly number[]) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.round((sorted.length - 1) * share)] as number;
  return { lower: at(0.25), median: at(0.5), upper: at(0.75) };
}

await main();
