import { killDatabase, killProcess, type KillReport } from "@/lib/history/testing/kills";
import { createTestCluster } from "@/lib/platform/testing/cluster";
import { databaseKinds } from "@/lib/platform/testing/databases";
import { createTestPlace } from "@/lib/platform/testing/places";

/**
 * Kills the recording process, then its database, at seeded moments, and compares what is left with everything that was
 * acknowledged. `BENCH_KILLS` and `BENCH_SEED` choose how often and when.
 */

const KILLS = Number(process.env.BENCH_KILLS ?? 20);
const SEED = Number(process.env.BENCH_SEED ?? 1);
const LONGEST_MS = 2_000;

async function main(): Promise<void> {
  const moments = createMoments();
  console.log(`${KILLS} moments of seed ${SEED}: ${moments.join(", ")} ms after recording began\n`);
  console.log("| killed | times | acknowledged seconds | closed hours | wrong | ready ms, median | worst |");
  console.log("|---|---|---|---|---|---|---|");
  for (const kind of databaseKinds) {
    const place = await createTestPlace(kind);
    report(`the process, ${kind}`, await killProcess(place, moments));
    await place.remove();
  }
  const cluster = await createTestCluster();
  if (cluster === null) return console.log("\nPostgreSQL is not installed; only the process was killed.");
  const { dataDir, remove } = await createTestPlace("embedded");
  try {
    report("PostgreSQL", await killDatabase({ dataDir, databaseUrl: cluster.url }, cluster, moments));
  } finally {
    cluster.remove();
    await remove();
  }
}

function createMoments(): number[] {
  let state = SEED;
  return Array.from({ length: KILLS }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * LONGEST_MS);
  });
}

function report(what: string, { readyMs, acknowledged, closedHours, wrong }: KillReport): void {
  const sorted = readyMs.map(Math.round).sort((a, b) => a - b);
  const cells = [what, KILLS, acknowledged, closedHours, wrong.length, sorted[sorted.length >> 1], sorted.at(-1)];
  console.log(`| ${cells.join(" | ")} |`);
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
}

await main();
