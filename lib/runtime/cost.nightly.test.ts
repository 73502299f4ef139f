import { afterAll, beforeAll, expect, test } from "vitest";
import { createSeededRandom } from "@/bench/seeded-random";
import { type CostScene, openCostScene } from "@/lib/runtime/cost-scene.fixture";
import {
  type CallCost,
  type CostCall,
  drawCalls,
  findMost,
  formatCost,
  listHeavyCalls,
  measureCall,
  measureSlowness,
} from "@/lib/runtime/cost.fixture";

/** All heavy calls of all symbols, and others at random from the OpenAPI document, as `npm run bench:cost` makes them. */

const SEEDS = [1, 2, 3];
const DRAWN = 300;
/** On a machine that others use as well, caches and clocks are theirs too. */
const GENEROUS = 2;
const TIMEOUT_MS = 1_800_000;

let scene: CostScene;
beforeAll(async () => (scene = await openCostScene()), TIMEOUT_MS);
afterAll(() => scene.close());

async function findTooDear(calls: Iterable<CostCall>): Promise<string[]> {
  const costs: CallCost[] = [];
  for (const call of calls) for (const isCold of [true, false]) costs.push(await measureCall(scene, call, isCold));
  const slowness = measureSlowness() * GENEROUS;
  return costs.filter(({ call, msPerCredit }) => msPerCredit > findMost(call) * slowness).map(formatCost);
}

test("No heavy call costs more than its credits, cold or warm", { timeout: TIMEOUT_MS }, async () => {
  expect(await findTooDear(listHeavyCalls(scene))).toEqual([]);
});

test.each(SEEDS)(
  "No call drawn at random costs more than its credits: seed %i",
  { timeout: TIMEOUT_MS },
  async (seed) => {
    const drawn = drawCalls(scene, createSeededRandom(seed));
    expect(await findTooDear(Array.from({ length: DRAWN }, () => drawn.next().value as CostCall))).toEqual([]);
  },
);
