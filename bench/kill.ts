import { createSeededRandom } from "@/bench/seeded-random";
import { killDatabase, killProcess, type KillReport, pauseProcess } from "@/lib/history/testing/kills";
import { createEmbeddedTestPlace, createTestPlace, type TestPlace } from "@/lib/platform/testing/databases";

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
  const kills = [
    ["the process", killProcess],
    ["its embedded database", killDatabase],
    ["both", (place: TestPlace, moments: number[]) => killProcess(place, moments, { alsoDatabase: true })],
  ] as const;
  for (const [what, kill] of kills) {
    const place = createEmbeddedTestPlace();
    report(what, KILLS, await kill(place, delaysMs));
    await place.remove();
  }
  const shared = await createTestPlace();
  const moments = delaysMs.slice(0, PAUSES);
  report("a paused recorder", moments.length, await pauseProcess(shared, moments, PAUSE_MS));
  await shared.remove();
}

function report(what: string, times: number, { readyMs, acknowledged, closedHours, wrong }: KillReport): void {
  const sorted = readyMs.map(Math.round).sort((a, b) => a - b);
  const cells = [what, times, acknowledged, closedHours, wrong.length, sorted[sorted.length >> 1], sorted.at(-1)];
  console.log(`| ${cells.join(" | ")} |`);
  for (const line of wrong.slice(0, 20)) console.log(`  ${line}`);
  if (wrong.length > 0) process.exitCode = 1;
}

await main();
