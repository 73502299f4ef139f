import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { createCalendarCases } from "@/bench/calendar-cases";
import type { Case } from "@/bench/case";
import { createRandomHour } from "@/bench/random-hour";
import { load, type LoadRequest, type LoadResult, requireWrk } from "@/bench/wrk";
import { type Spotline, startSpotline } from "@/e2e/support/spotline";
import { tickHourStore } from "@/lib/history/ticks/tick-history";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { findFreePort } from "@/lib/platform/testing/free-port";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

/**
 * Measures requests a second, compared with a bare node:http server that sends a constant body of the same size. Both
 * servers run on the first core, the load generator on the second. The servers take turns within one run, so that other
 * load of the machine affects both.
 */

const SECONDS = Number(process.env.BENCH_SECONDS ?? 4);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 5);
/** Long enough for the code to be compiled, as in a server that runs all day. */
const WARM_UP_SECONDS = 8;
const CONNECTIONS = 32;
const BACKFILL_TIMEOUT_MS = 600_000;
/** `npm run bench -- ticks` measures only the requests with "ticks" in their name. */
const ONLY = process.argv[2] ?? "";
const FIRST_CORE = ["taskset", "-c", "0"];

async function main(): Promise<void> {
  await requireWrk();
  const spotline = await startSpotline({ wrapper: FIRST_CORE, discardLog: true });
  try {
    const cases = (await createCases(spotline)).filter(({ name }) => name.includes(ONLY));
    if (cases.length === 0) throw new Error(`No request has "${ONLY}" in its name`);
    console.log(`${ROUNDS} rounds of ${SECONDS} s each, ${CONNECTIONS} connections, one core a server\n`);
    console.log(
      "| request | bytes | bare req/s | Spotline req/s | ratio | target | p50 ms (bare) | p99 ms (bare) | RSS MB |",
    );
    console.log("|---|---|---|---|---|---|---|---|---|");
    const shares = new Map<string, number>();
    for (const each of cases) {
      await each.prepare?.();
      shares.set(each.name, await measure(spotline, each));
    }
    for (const { name, baseline } of cases) {
      const [before, after] = [shares.get(baseline?.name ?? ""), shares.get(name)];
      if (before === undefined || after === undefined) continue;
      console.log(`\n${name}: ${(before / after).toFixed(2)} × slower, at most ${baseline?.factor} ×`);
    }
  } finally {
    await spotline.stop();
  }
}

async function createCases(spotline: Spotline): Promise<Case[]> {
  const email = "bench@example.com";
  await spotline.cli(
    "account",
    "create",
    "--email",
    email,
    "--password",
    "a long enough password",
    "--plan",
    "enterprise",
  );
  await spotline.cli("account", "set-limits", "--email", email, "--per-minute", "none", "--per-day", "none");
  const { key } = await spotline.cli<{ key: string }>(
    "key",
    "create",
    "--account",
    email,
    "--label",
    "bench",
    "--scopes",
    "all",
    "--ips",
    "127.0.0.0/8",
  );
  // With an encoding, because fetch would accept gzip and the load generator accepts none.
  const headers = { "X-API-Key": key, "Accept-Encoding": "identity" };
  const list = await fetch(`${spotline.url}/v1/symbols?limit=100`, { headers });
  const { data } = (await list.json()) as { data: { symbols: { symbol: string }[] } };
  const symbols = data.symbols.map(({ symbol }) => symbol);
  if (symbols.length !== 100) throw new Error(`expected 100 symbols, not ${symbols.length}`);
  const hour = await writeFullHour(spotline);
  const reading = "/v1/indicator?symbol=EURUSD&timeframe=H1&indicator=";
  await waitForAnswer(`${spotline.url}${reading}SMA_200`, headers);
  return [
    { name: "GET /v1/quote", target: 0.95, request: { method: "GET", path: "/v1/quote?symbol=EURUSD", headers } },
    {
      name: "POST /v1/quotes (100 symbols)",
      target: 0.75,
      request: {
        method: "POST",
        path: "/v1/quotes",
        headers: { ...headers, "Content-Type": "application/json" },
        body: JSON.stringify({ symbols }),
      },
    },
    { name: "GET /v1/indicator", target: 0.55, request: { method: "GET", path: `${reading}RSI_14`, headers } },
    { name: "GET /v1/indicator (flat)", target: 0.55, request: { method: "GET", path: `${reading}CCI_14`, headers } },
    { name: "GET /v1/spread", target: 0.55, request: { method: "GET", path: "/v1/spread?symbol=EURUSD", headers } },
    {
      name: "GET /v1/ticks (a closed hour, plain)",
      target: 0.75,
      request: { method: "GET", path: hour, headers },
    },
    {
      name: "GET /v1/ticks (a closed hour, gzip)",
      target: 0.6,
      request: { method: "GET", path: hour, headers: { ...headers, "Accept-Encoding": "gzip" } },
    },
    { name: "GET /v1/sessions", target: 0.55, request: { method: "GET", path: "/v1/sessions", headers } },
    { name: "GET /v1/heatmap", target: 0.55, request: { method: "GET", path: "/v1/heatmap?timeframe=H1", headers } },
    ...createCalendarCases(spotline, headers),
  ];
}

/** Waits until a URL answers: the server fills in past bars after its start. */
async function waitForAnswer(url: string, headers: Case["request"]["headers"]): Promise<void> {
  for (const deadline = Date.now() + 180_000; Date.now() < deadline;) {
    if ((await fetch(url, { headers })).ok) return;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
  throw new Error(`${url} did not answer in time`);
}

/** Prints a row of the table. Returns the ratio to the requests a second of the bare server. */
async function measure(spotline: Spotline, { name, request, target }: Case): Promise<number> {
  const answer = await fetchAnswer(spotline.url + request.path, request);
  // The header, because fetch has decompressed the body.
  const size = Number(answer.headers.get("content-length"));
  await answer.arrayBuffer();
  const bare = await startBare(size);
  try {
    for (const url of [bare.url, spotline.url]) await load(url, request, WARM_UP_SECONDS, CONNECTIONS);
    const spotlineResults: LoadResult[] = [];
    const bareResults: LoadResult[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      bareResults.push(await load(bare.url, request, SECONDS, CONNECTIONS));
      spotlineResults.push(await load(spotline.url, request, SECONDS, CONNECTIONS));
    }
    const getMedian = (results: LoadResult[], field: keyof LoadResult) =>
      computeMedian(results.map((result) => result[field]));
    const ratio = computeMedian(
      spotlineResults.map(
        (result, round) => result.requestsPerSecond / (bareResults[round] as LoadResult).requestsPerSecond,
      ),
    );
    const row = [
      name,
      size,
      Math.round(getMedian(bareResults, "requestsPerSecond")),
      Math.round(getMedian(spotlineResults, "requestsPerSecond")),
      ratio.toFixed(2),
      target,
      `${getMedian(spotlineResults, "p50Ms").toFixed(2)} (${getMedian(bareResults, "p50Ms").toFixed(2)})`,
      `${getMedian(spotlineResults, "p99Ms").toFixed(2)} (${getMedian(bareResults, "p99Ms").toFixed(2)})`,
      await readResidentMegabytes(spotline.pid),
    ];
    console.log(`| ${row.join(" | ")} |`);
    return ratio;
  } finally {
    bare.stop();
  }
}

/**
 * Stores a closed hour with a tick in every second, and returns the request for it. The hour is older than those of the
 * back-fill, and newer than those that retention deletes.
 */
async function writeFullHour({ dataDir }: Spotline): Promise<string> {
  const hourMs = Math.floor(Date.now() / DAY_MS - 7) * DAY_MS;
  const database = await joinDatabase({ databaseUrl: undefined, dataDir, log: silentLog });
  const client = await database.pool.connect();
  try {
    await tickHourStore.writeHour(client, [createRandomHour("EURUSD", hourMs, 1)]);
  } finally {
    client.release();
    await database.close();
  }
  const [from, to] = [hourMs, hourMs + HOUR_MS].map((atMs) => new Date(atMs).toISOString());
  return `/v1/ticks?symbol=EURUSD&from=${from}&to=${to}`;
}

/** Fetches an answer, and waits until the server has filled in past bars. */
async function fetchAnswer(url: string, request: LoadRequest): Promise<Response> {
  const deadline = Date.now() + BACKFILL_TIMEOUT_MS;
  for (;;) {
    const answer = await fetch(url, request);
    if (answer.ok || Date.now() > deadline) return answer;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}

async function startBare(size: number) {
  const port = await findFreePort();
  const [command = "", ...args] = [
    ...FIRST_CORE,
    process.execPath,
    "bench/bare-server.mjs",
    String(port),
    String(size),
  ];
  const child = spawn(command, args, { stdio: ["ignore", "pipe", "inherit"] });
  await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${port}`, stop: () => child.kill() };
}

function computeMedian(values: number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] as number;
}

async function readResidentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

await main();
