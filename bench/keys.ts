import { buildUnchecked } from "@/bench/unchecked-build";
import { load, requireWrk, type LoadRequest } from "@/bench/wrk";
import { startSpotline, type Spotline } from "@/e2e/support/spotline";
import { instruments } from "@/lib/market/catalog";
import { joinDatabase } from "@/lib/platform/database";
import { silentLog } from "@/lib/platform/log";

/**
 * What a verified key adds to a request: finding the key, its address list, both limits, scope and plan, and counting
 * the call, beside the same server with all of that compiled out. Both run on the first core, the load comes from the
 * second, and they take turns, changing who goes first. Build before: `npm run build`.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 32;
const FILLING_TIMEOUT_MS = 900_000;
const TARGET_PERCENT = 10;
const EMAIL = "bench@example.com";
const wrapper = ["taskset", "-c", "0"];

async function main(): Promise<void> {
  await requireWrk();
  const unchecked = await buildUnchecked();
  const servers: Spotline[] = [];
  try {
    for (const command of [["dist/server.mjs"], [unchecked]]) {
      servers.push(await startSpotline({ wrapper, command, discardLog: true }));
    }
    const [checked, bare] = servers as [Spotline, Spotline];
    const headers = { "X-API-Key": await createKey(checked) };
    if ((await fetch(`${checked.url}/v1/sessions`)).status !== 401)
      throw new Error("the checked server does not check");
    if ((await fetch(`${bare.url}/v1/sessions`)).status !== 200) throw new Error("the unchecked server checks");
    await untilFilled(servers);
    console.log(`${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections, one core for both servers\n`);
    console.log("| request | unchecked req/s | checked req/s | a key adds, median | quartiles | target |");
    console.log("|---|---|---|---|---|---|");
    for (const [name, request] of requests(headers)) await measure(name, request, checked, bare);
  } finally {
    for (const server of servers) await server.stop();
  }
}

function requests(headers: LoadRequest["headers"]): [string, LoadRequest][] {
  const get = (path: string): [string, LoadRequest] => [`GET ${path}`, { method: "GET", path, headers }];
  return [
    get("/v1/quote?symbol=EURUSD"),
    get("/v1/spread?symbol=EURUSD"),
    get("/v1/indicator?symbol=EURUSD&timeframe=H1&indicator=RSI_14"),
  ];
}

async function createKey({ cli }: Spotline): Promise<string> {
  const account = ["--email", EMAIL, "--password", "a long enough password", "--plan", "enterprise"];
  await cli("account", "create", ...account);
  await cli("account", "set-limits", "--email", EMAIL, "--per-minute", "none", "--per-day", "none");
  const options = ["--account", EMAIL, "--label", "bench", "--scopes", "all", "--ips", "127.0.0.0/8"];
  return (await cli<{ key: string }>("key", "create", ...options)).key;
}

/** Filling in the past takes a thread's whole attention for minutes. */
async function untilFilled(servers: readonly Spotline[]): Promise<void> {
  const deadline = Date.now() + FILLING_TIMEOUT_MS;
  for (const { dataDir } of servers) {
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
  }
}

async function measure(name: string, request: LoadRequest, checked: Spotline, bare: Spotline): Promise<void> {
  for (const { url } of [checked, bare]) await load(url, request, WARM_UP_SECONDS, CONNECTIONS);
  const rates = { checked: [] as number[], bare: [] as number[] };
  const rate = async ({ url }: Spotline) => (await load(url, request, SECONDS, CONNECTIONS)).requestsPerSecond;
  for (let round = 0; round < ROUNDS; round++) {
    if (round % 2 === 0) rates.checked.push(await rate(checked));
    rates.bare.push(await rate(bare));
    if (round % 2 === 1) rates.checked.push(await rate(checked));
  }
  const added = rates.bare.map((bareRate, round) => (bareRate / (rates.checked[round] as number) - 1) * 100);
  const median = part(added, 0.5);
  if (median > TARGET_PERCENT) process.exitCode = 1;
  const cells = [
    name,
    Math.round(part(rates.bare, 0.5)),
    Math.round(part(rates.checked, 0.5)),
    `${median.toFixed(1)} %`,
    `${part(added, 0.25).toFixed(1)} to ${part(added, 0.75).toFixed(1)} %`,
    `at most ${TARGET_PERCENT} %`,
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

function part(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)] as number;
}

await main();
