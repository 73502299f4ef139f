import { createSeededRandom } from "@/bench/seeded-random";
import { openCostScene } from "@/lib/runtime/cost-scene.fixture";
import {
  type CallCost,
  type CostCall,
  drawCalls,
  findDearest,
  formatCost,
  listHeavyCalls,
  measureCall,
  measureSlowness,
  MOST_MS,
} from "@/lib/runtime/cost.fixture";

/**
 * Measures the processor time of calls for each credit that they cost, and prints the dearest: `npm run bench:cost -- DRAWN
 * SEED`. All calls are made in this process, one after the other, so other work of the machine does not count. Each is
 * made cold and warm. First those that are known to be heavy, then DRAWN at random from the OpenAPI document.
 */

const DRAWN = Number(process.argv[2] ?? 1_000);
const SEED = Number(process.argv[3] ?? 1);
const SHOWN = Number(process.env.BENCH_SHOWN ?? 10);

const scene = await openCostScene();
const costs: CallCost[] = [];
const drawn = drawCalls(scene, createSeededRandom(SEED));
const calls = [...listHeavyCalls(scene), ...Array.from({ length: DRAWN }, () => drawn.next().value as CostCall)];
for (const call of calls) for (const isCold of [true, false]) costs.push(await measureCall(scene, call, isCold));
const dearest = findDearest(costs, SHOWN);
console.log(
  `${costs.length} calls on a machine that is ${measureSlowness().toFixed(1)} × as slow as usual, at most ${MOST_MS} ms of the processor for a credit`,
);
for (const cost of dearest) console.log(formatCost(cost));
if ((dearest[0]?.msPerCredit ?? 0) > MOST_MS) process.exitCode = 1;
await scene.close();
