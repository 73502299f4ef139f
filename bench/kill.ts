import { createSeededRandom } from "@/bench/seeded-random";
import { killDatabase, killProcess, type KillReport, pauseProcess } from "@/lib/history/testing/kills";
import { createTestCluster } from "@/lib/platform/testing/cluster";
import { databaseKinds } from "@/lib/platform/testing/databases";
import { createTestPlace } from "@/lib/platform/testing/places";

/**
 * Kills the recording process, then its database, at times from a seed, pauses each of two recorders in turn, and
 * compares the stored seconds with the acknowledged ones. `BENCH_KILLS` and `BENCH_SEED` set the number and the times,
 * `BENCH_PAUSES` and `BENCH_PAUSE_MS` the pauses.
 */

const KILLS = Number(process.env.BENCH_KILLS ?? 20);
const SEED = Number(process.env.BENCH_SEED ?? 1);
const MAX_DELAY_MS = 2_000;
const PAUSES = Number(process.env.BENCH_PAUSES ?? 4);
const PAUSE_MS = Number(process.env.BENCH_PAUSE_MS ?? 30_000);

async function main(): Promise<void> {
  const random = createSeededRandom(SEED);
  const delaysMs = Array.from({ length: KILLS }, () => random(MAX_DELAY_MS));
  console.log(`${KILLS} times of seed ${SEED}: ${delaysMs.join(", ")} ms after recording began\n`);
  console.log("| killed or paused | times | acknowledged seconds | closed hours | wrong | ready ms, median | worst |");
  console.log("|---|---|---|---|---|---|---|");
  for (const kind of databaseKinds) {
    const installation = await createTestPlace(kind);
    report(`the process, ${kind}`, KILLS, await killProcess(installation, delaysMs));
    await installation.remove();
  }
  if (databaseKinds.includes("postgresql")) {
    const installation = await createTestPlace("postgresql");
    const moments = delaysMs.slice(0, PAUSES);
    report("a paused recorder", moments.length, await pauseProcess(installation, moments, PAUSE_MS));
    await installation.remove();
  }
  const cluster = await createTestCluster();
  if (cluster === null) return console.log("\nPostgreSQL is not installed; only the process was killed.");
  const { dataDir, remove } = await createTestPlace("embedded");
  try {
    report("PostgreSQL", KILLS, await killDatabase({ dataDir, databaseUrl: cluster.url }, cluster, delaysMs));
  } finally {
    cluster.remove();
    await remove();
  }
}

function report(what: string, times: number, { readyMs, acknowledged, closedHours, wrong }: KillReport): void {
  const sorted = readyMs.map(Math.round).sort((a, b) => a - b);
  const cells = [what, times, acknowledged, closedHours, wrong.length, sorted[sorted.length >> 1], sorted.at(-1)];
  console.log(`| ${cells.join(" | ")} |`);
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
}

await main();
