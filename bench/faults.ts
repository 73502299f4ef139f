import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as pause } from "node:timers/promises";
import { type Calls, countDoubled, countLost, keepChecking, readPrice, readTicks } from "@/bench/faults/checked-calls";
import { createSeededRandom } from "@/bench/seeded-random";
import { listChildren, readReady } from "@/e2e/process/api-process-scene";
import { createKey, type Fleet, setLimits } from "@/e2e/process/fleet";
import { withAccess } from "@/e2e/support/access";
import { migrateWithoutPast } from "@/e2e/support/prepared-past";
import { parseMetrics } from "@/e2e/support/prometheus-text";
import type { Spotline } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { createTestCluster } from "@/lib/platform/testing/cluster";
import { findFreePort } from "@/lib/platform/testing/free-port";
import { startTestRedis } from "@/lib/platform/testing/redis";
import { STEADY_MS } from "@/lib/readers/reader-process";

/**
 * Kills parts of an installation under load, each `BENCH_KILLS` times at moments from a seed: the server that records,
 * alone and with a standby, the processes of one that follows it (calls and pages), Redis, PostgreSQL. Prints how long the
 * follower took until all its processes served live prices again, how many recorded ticks that it had served were
 * missing or others afterwards, how many were there twice, and what callers received: only 200, 503 or a cut connection, and no age that is not true.
 * `npm run bench:faults -- PART` does only the faults whose name contains PART.
 */

const KILLS = Number(process.env.BENCH_KILLS ?? 20);
const SEED = Number(process.env.BENCH_SEED ?? 1);
const PART = process.argv[2] ?? "";
const CALLERS = 8;
/** The seconds before a kill whose ticks are compared. The latest of them may not be recorded yet. */
const COMPARED_MS = 13_000;
const MAX_DELAY_MS = 1_500;
const MAX_DOWN_MS = 1_000;
const CONVERGENCE_MS = 5_000;
const GIVE_UP_MS = 60_000;
const POLL_MS = 25;
const API_PROCESSES = 2;
/** So many good answers in a row come from all processes. */
const STREAK = 8;

const random = createSeededRandom(SEED);

async function main(): Promise<void> {
  const cluster = await createTestCluster();
  if (cluster === null) throw new Error("PostgreSQL is not installed.");
  const redis = await startTestRedis();
  await migrateWithoutPast({ SPOTLINE_DATA_DIR: "", DATABASE_URL: cluster.url }, Date.now());
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
  const waitForRecovery = () => findRecovery(follower, key, `http://127.0.0.1:${metricsPort}/metrics`);
  const fleet = await createFleet(writer);
  const { key } = await createKey(fleet);
  const killChild = async (entry: string) => {
    // A process that ends again and again is restarted after longer and longer pauses.
    await pause(STEADY_MS);
    const pids = listChildren(follower).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(entry));
    process.kill(pids[random(pids.length)] as number, "SIGKILL");
    return performance.now();
  };
  /** Each returns the moment from which the time until the recovery counts, on the clock of `performance.now`. */
  const faults: Record<string, () => Promise<number>> = {
    "a process that answers calls": () => killChild("api-server"),
    "the process of the pages": () => killChild("pages-server"),
    async "the server that records"() {
      process.kill(writer.pid, "SIGKILL");
      await writer.ended;
      await pause(random(MAX_DOWN_MS));
      writer = await startWriter();
      return performance.now();
    },
    async "the server that records, with a standby"() {
      const standby = await startWriter();
      const killedAtMs = performance.now();
      process.kill(writer.pid, "SIGKILL");
      writer = standby;
      // For a moment the follower still serves the latest prices, which are live.
      while (!writer.output().includes("has taken over recording")) await pauseSince(killedAtMs);
      return killedAtMs;
    },
    async Redis() {
      await redis.kill();
      await pause(random(MAX_DOWN_MS));
      await redis.restart();
      return performance.now();
    },
    async PostgreSQL() {
      await cluster.stop();
      await pause(random(MAX_DOWN_MS));
      await cluster.start();
      return performance.now();
    },
  };
  console.log(`load average ${loadavg()[0]?.toFixed(1)}, ${CALLERS} callers, seed ${SEED}\n`);
  console.log(
    "| killed | times | recovered ms, median | worst | ticks lost | doubled | answered | 503 | cut | wrong |",
  );
  console.log("|---|---|---|---|---|---|---|---|---|---|");
  try {
    await waitForRecovery();
    for (const [name, kill] of Object.entries(faults).filter(([name]) => name.includes(PART))) {
      await repeatFault(name, kill, { follower, key, waitForRecovery });
    }
  } finally {
    await Promise.all([writer.stop(), follower.stop()]);
    await redis.remove();
    await cluster.remove();
  }
}

interface Followed {
  readonly follower: Spotline;
  readonly key: string;
  readonly waitForRecovery: () => Promise<number>;
}

/** Does one fault several times, and prints what came of it. */
async function repeatFault(name: string, kill: () => Promise<number>, { follower, key, waitForRecovery }: Followed) {
  const calls = keepChecking(follower, key, CALLERS);
  const tookMs: number[] = [];
  let [lost, doubled] = [0, 0];
  for (let time = 0; time < KILLS; time++) {
    await pause(random(MAX_DELAY_MS));
    const fromMs = Date.now() - COMPARED_MS;
    const served = await readTicks(follower, key, fromMs);
    const sinceMs = await kill();
    tookMs.push((await waitForRecovery()) - sinceMs);
    const after = await readTicks(follower, key, fromMs);
    lost += countLost(served, after);
    doubled += countDoubled(after);
  }
  report(name, tookMs, { lost, doubled, ...(await calls.stop()) });
}

async function createFleet(writer: Spotline): Promise<Fleet> {
  const { id } = await withAccess(writer.place, ({ accounts }) =>
    accounts.create({ email: "bench@example.com", password: "correct horse battery", plan: "pro" }),
  );
  const fleet = { servers: [writer], place: writer.place, accountId: id };
  await setLimits(fleet, {});
  return fleet;
}

/**
 * Resolves with the moment since which the server has no problem and serves pages and live prices of a true age, on the
 * clock of `performance.now`.
 */
async function findRecovery(server: Spotline, key: string, metricsUrl: string): Promise<number> {
  const startedAt = performance.now();
  let since: number | null = null;
  // Each call opens a connection, which any of the processes accepts.
  for (let streak = 0; streak < STREAK;) {
    const isGood = (await areAllUp(metricsUrl).catch(() => false)) && (await isReady(server, key).catch(() => false));
    streak = isGood ? streak + 1 : 0;
    since = isGood ? (since ?? performance.now()) : null;
    await pauseSince(startedAt);
  }
  return since ?? startedAt;
}

/** Pauses between two looks at a server. Throws when it has had enough time to recover since a moment. */
async function pauseSince(startedAt: number): Promise<void> {
  if (performance.now() - startedAt > GIVE_UP_MS) throw new Error("The servers have not recovered.");
  await pause(POLL_MS);
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

interface Outcome extends Calls {
  readonly lost: number;
  readonly doubled: number;
}

function report(name: string, tookMs: readonly number[], outcome: Outcome): void {
  const { lost, doubled, answered, refused, cut, wrong } = outcome;
  const sorted = tookMs.map(Math.round).sort((a, b) => a - b);
  const [median = 0, worst = 0] = [sorted[sorted.length >> 1], sorted.at(-1)];
  const cells = [name, KILLS, median, worst, lost, doubled, answered, refused, cut, wrong.length];
  console.log(`| ${cells.join(" | ")} |`);
  for (const line of wrong.slice(0, 10)) console.log(`  ${line}`);
  if (wrong.length + lost + doubled > 0 || worst > CONVERGENCE_MS) process.exitCode = 1;
}

await main();
