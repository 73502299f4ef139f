import { afterAll, beforeAll, expect, test } from "vitest";
import { type CostScene, openCostScene } from "@/lib/runtime/cost-scene.fixture";
import {
  type CallCost,
  findMost,
  formatCost,
  listHeavyCalls,
  measureCall,
  measureSlowness,
} from "@/lib/runtime/cost.fixture";

/** The heaviest calls of a few symbols. `npm run bench:cost` and the nightly test make those of all, and others at random. */

const SYMBOLS = 12;
/** Of the heavy calls, every fifth one. */
const EVERY = 5;
/** On a machine that others use as well, caches and clocks are theirs too. */
const GENEROUS = 3;

let scene: CostScene;
beforeAll(async () => (scene = await openCostScene(SYMBOLS)));
afterAll(() => scene.close());

test("No heavy call of a few symbols costs more than its credits, cold or warm", async () => {
  const calls = listHeavyCalls(scene).filter((_, at) => at % EVERY === 0);
  const costs: CallCost[] = [];
  for (const call of calls) for (const isCold of [true, false]) costs.push(await measureCall(scene, call, isCold));
  const slowness = measureSlowness() * GENEROUS;
  const tooDear = costs.filter(({ call, msPerCredit }) => msPerCredit > findMost(call) * slowness);
  expect(tooDear.map(formatCost)).toEqual([]);
  // Errors cost nothing.
  expect(costs.filter(({ status }) => status === 200).length).toBeGreaterThan(costs.length / 2);
});
