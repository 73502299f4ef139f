import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { createSeededRandom } from "@/bench/seeded-random";
import { listChildren, readReady } from "@/e2e/process/api-process-scene";
import { createKey, type Fleet, setLimits } from "@/e2e/process/fleet";
import { withAccess } from "@/e2e/support/access";
import { skipBackfill } from "@/e2e/support/prepared-past";
import { parseMetrics } from "@/e2e/support/prometheus-text";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { instruments } from "@/lib/market/catalog";
import { openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { createTestCluster } from "@/lib/platform/testing/cluster";
import { findFreePort } from "@/lib/platform/testing/free-port";
import { startTestRedis } from "@/lib/platform/testing/redis";
import { STEADY_MS } from "@/lib/readers/reader-process";

/**
 * Kills parts of an installation under load, each `BENCH_KILLS` times at moments from a seed: the server that records,
 * the processes of one that follows it (calls and pages), Redis, PostgreSQL. Prints how long the follower took until all its
 * processes served live prices again, and what callers received: only 200, 503 or a cut connection, and no age that is
 * not true.
 */

const KILLS = Number(process.env.BENCH_KILLS ?? 20);
const SEED = Number(process.env.BENCH_SEED ?? 1);
const CALLERS = 8;
const MAX_DELAY_MS = 1_500;
const MAX_DOWN_MS = 1_000;
const CONVERGENCE_MS = 5_000;
const GIVE_UP_MS = 60_000;
/** A follower has the clock of the recorder by a message, which is late on a busy machine. */
const CLOCK_MS = 500;
const POLL_MS = 25;
const SYMBOL = "EURUSD";
const API_PROCESSES = 2;
/** So many good answers in a row come from all processes. */
const STREAK = 8;

const random = createSeededRandom(SEED);

async function main(): Promise<void> {
  const cluster = await createTestCluster();
  if (cluster === null) throw new Error("PostgreSQL is not installed.");
  const redis = await startTestRedis();
  await migrateWithoutPast(cluster.url);
  const env = { DATABASE_URL: cluster.url, REDIS_URL: redis.url, SPOTLINE_REDIS_TIMEOUT_MS: "1000" };
  const startWriter = () => startTestServer({ env: { ...env, SPOTLINE_ROLES: "writer" } });
  let writer = await startWriter();
  const metricsPort = String(await findFreePort());
  const follower = await startTestServer({
    env: {
      ...env,
      SPOTLINE_ROLES: "api,pages",
      SPOTLINE_API_PROCESSES: String(API_PROCESSES),
      SPOTLINE_METRICS_PORT: metricsPort,
    },
  });
  const waitForRecovery = () => untilRecovered(follower, key, `http://127.0.0.1:${metricsPort}/metrics`);
  const fleet = await createFleet(writer);
  const { key } = await createKey(fleet);
  const killChild = async (entry: string) => {
    // A process that ends again and again is restarted after longer and longer pauses.
    await pause(STEADY_MS);
    const pids = listChildren(follower).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(entry));
    process.kill(pids[random(pids.length)] as number, "SIGKILL");
  };
  const faults: Record<string, () => Promise<void>> = {
    "a process that answers calls": () => killChild("api-server"),
    "the process of the pages": () => killChild("pages-server"),
    async "the server that records"() {
      process.kill(writer.pid, "SIGKILL");
      await writer.ended;
      await pause(random(MAX_DOWN_MS));
      writer = await startWriter();
    },
    async Redis() {
      await redis.kill();
      await pause(random(MAX_DOWN_MS));
      await redis.restart();
    },
    async PostgreSQL() {
      cluster.stop();
      await pause(random(MAX_DOWN_MS));
      cluster.start();
    },
  };
  console.log(`load average ${loadavg()[0]?.toFixed(1)}, ${CALLERS} callers, seed ${SEED}\n`);
  console.log("| killed | times | recovered ms, median | worst | answered | 503 | cut | wrong |");
  console.log("|---|---|---|---|---|---|---|---|");
  try {
    await waitForRecovery();
    for (const [name, kill] of Object.entries(faults)) {
      const calls = keepChecking(follower, key);
      const tookMs: number[] = [];
      for (let time = 0; time < KILLS; time++) {
        await pause(random(MAX_DELAY_MS));
        await kill();
        tookMs.push(await waitForRecovery());
      }
      report(name, tookMs, await calls.stop());
    }
  } finally {
    await Promise.all([writer.stop(), follower.stop()]);
    await redis.remove();
    cluster.remove();
  }
}

async function migrateWithoutPast(databaseUrl: string): Promise<void> {
  const db = await openDatabase({ databaseUrl, dataDir: "", log: silentLog });
  await skipBackfill(
    db.pool,
    instruments.map(({ symbol }) => symbol),
  );
  await db.close();
}

async function createFleet(writer: Spotline): Promise<Fleet> {
  const { id } = await withAccess(writer.place, ({ accounts }) =>
    accounts.create({ email: "bench@example.com", password: "correct horse battery", plan: "pro" }),
  );
  const fleet = { servers: [writer], place: writer.place, accountId: id };
  await setLimits(fleet, {});
  return fleet;
}

/** Resolves with the milliseconds until the server has no problem and serves pages and live prices of a true age. */
async function untilRecovered(server: Spotline, key: string, metricsUrl: string): Promise<number> {
  const startedAt = performance.now();
  let since: number | null = null;
  // Each call opens a connection, which any of the processes accepts.
  for (let streak = 0; streak < STREAK;) {
    const isGood = (await areAllUp(metricsUrl).catch(() => false)) && (await isReady(server, key).catch(() => false));
    streak = isGood ? streak + 1 : 0;
    since = isGood ? (since ?? performance.now()) : null;
    if (performance.now() - startedAt > GIVE_UP_MS) throw new Error(`The server at ${server.url} has not recovered.`);
    await pause(POLL_MS);
  }
  return (since ?? startedAt) - startedAt;
}

/** What `/ready` says is up to a second old, in which a process can be away and back. */
async function areAllUp(metricsUrl: string): Promise<boolean> {
  const metrics = parseMetrics(await (await fetch(metricsUrl)).text());
  return metrics.sum("spotline_api_process_up") === API_PROCESSES && metrics.sum("spotline_pages_up") === 1;
}

async function isReady(server: Spotline, key: string): Promise<boolean> {
  const { isWhole } = await readReady(server);
  const { state, wrong } = await readPrice(server, key, true);
  const page = await fetch(`${server.url}/sign-in`, { headers: { Connection: "close" } });
  await page.text();
  return isWhole && state === "live" && wrong === null && page.status === 200;
}

async function readPrice({ url }: Spotline, key: string, isOwnConnection = false) {
  const headers = { "X-API-Key": key, ...(isOwnConnection && { Connection: "close" }) };
  const sentAtMs = Date.now();
  const response = await fetch(`${url}/v1/quote?symbol=${SYMBOL}`, { headers });
  const body = (await response.json()) as { data?: { timestamp: string } };
  const state = response.headers.get("x-quote-state");
  if (body.data === undefined) return { status: response.status, state, wrong: null };
  const pricedAtMs = Date.parse(body.data.timestamp);
  const statedMs = Number(response.headers.get("x-quote-age-ms"));
  // The server read its clock between the call and the answer.
  const isTrue = statedMs > sentAtMs - pricedAtMs - CLOCK_MS && statedMs < Date.now() - pricedAtMs + CLOCK_MS;
  const wrong = isTrue ? null : `${state}: ${statedMs} ms old, but it was ${sentAtMs - pricedAtMs} ms`;
  return { status: response.status, state, wrong };
}

type Calls = Awaited<ReturnType<ReturnType<typeof keepChecking>["stop"]>>;

/** Reads a price again and again until it is stopped, and checks each answer. */
function keepChecking(server: Spotline, key: string) {
  let isStopped = false;
  const counts = { answered: 0, refused: 0, cut: 0, wrong: [] as string[] };
  async function call(): Promise<void> {
    const { status, wrong } = await readPrice(server, key);
    if (status === 200) counts.answered++;
    else if (status === 503) counts.refused++;
    else counts.wrong.push(`status ${status}`);
    if (wrong !== null) counts.wrong.push(wrong);
  }
  const repeat = async () => {
    while (!isStopped) await call().catch(() => counts.cut++);
  };
  const running = Array.from({ length: CALLERS }, repeat);
  return {
    async stop() {
      isStopped = true;
      await Promise.all(running);
      return counts;
    },
  };
}

function report(name: string, tookMs: readonly number[], { answered, refused, cut, wrong }: Calls): void {
  const sorted = tookMs.map(Math.round).sort((a, b) => a - b);
  const [median = 0, worst = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
  console.log(`| ${[name, KILLS, median, worst, answered, refused, cut, wrong.length].join(" | ")} |`);
  for (const line of wrong.slice(0, 10)) console.log(`  ${line}`);
  if (wrong.length > 0 || worst > CONVERGENCE_MS) process.exitCode = 1;
}

await main();
