import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Direction } from "@/lib/alerts/conditions";
import {
  type AlertState,
  computeMoves,
  evaluateEvents,
  evaluateIndicator,
  evaluateMove,
  evaluatePrice,
  evaluateSpread,
  evaluateState,
  findMove,
  findSide,
  hasCrossed,
  PriceWindow,
  type Side,
} from "@/lib/alerts/evaluation";
import type { QuoteState } from "@/lib/book/freshness";
import { choosePrice } from "@/lib/market/price";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

describe("an evaluation", () => {
  test("of a price changes the state only when the price changes sides", () => {
    const condition = { type: "price", symbol: "EURUSD", level: 1.1, direction: "up", price: "ask" } as const;
    const at = (ask: number) => ({ bid: ask - 0.1, ask });
    expect(evaluatePrice(condition, null, at(1.05))).toEqual({ state: { side: -1 }, fires: false });
    expect(evaluatePrice(condition, { side: -1 }, at(1.09))).toBeNull();
    expect(evaluatePrice(condition, { side: -1 }, at(1.12))).toEqual({ state: { side: 1 }, fires: true });
    expect(evaluatePrice(condition, { side: 1 }, at(1.05))).toEqual({ state: { side: -1 }, fires: false });
  });

  test("of an indicator fires at the first bar beyond, and takes an equal value for not crossed yet", () => {
    const run = (direction: "up" | "down" | "either", values: readonly number[]) => {
      let state: AlertState | null = null;
      return values.map((value) => {
        const verdict = evaluateIndicator({ direction }, state, { value, against: 70 });
        state = verdict?.state ?? state;
        return verdict?.fires ?? false;
      });
    };
    expect(run("up", [69, 71, 72, 69, 71])).toEqual([false, true, false, false, true]);
    expect(run("down", [69, 71, 72, 69, 71])).toEqual([false, false, false, true, false]);
    expect(run("either", [71, 70, 71, 70, 69])).toEqual([false, false, false, false, true]);
    expect(run("up", [70, 71, 69, 70, 71])).toEqual([false, false, false, false, true]);
  });

  test("of a move fires when it becomes large enough, not while it is or already was", () => {
    const condition = { type: "move", symbol: "EURUSD", percent: 2, minutes: 60, direction: "up" } as const;
    const evaluate = (state: AlertState | null, up: number) => evaluateMove(condition, state, { up, down: 0 });
    expect(evaluate(null, 3)).toEqual({ state: { met: true }, fires: false });
    expect(evaluate({ met: true }, 3)).toBeNull();
    expect(evaluate({ met: true }, 1)).toEqual({ state: { met: false }, fires: false });
    expect(evaluate({ met: false }, 2)).toEqual({ state: { met: true }, fires: true });
    expect(evaluateMove(condition, { met: false }, { up: 0, down: -5 })).toBeNull();
  });

  test("of a spread fires above the usual one, not at it", () => {
    expect(evaluateSpread(15, 15, null)).toEqual({ state: { met: false }, fires: false });
    expect(evaluateSpread(16, 15, { met: false })).toEqual({ state: { met: true }, fires: true });
    expect(evaluateSpread(17, 15, { met: true })).toBeNull();
  });

  test("of a state fires on a change to a wanted one, and takes delayed for live", () => {
    const condition = { type: "state", symbol: "EURUSD", states: ["stale", "closed"] } as const;
    const run = (states: readonly QuoteState[]) => {
      let state: AlertState | null = null;
      return states.filter((each) => {
        const verdict = evaluateState({ ...condition, states: [...condition.states] }, state, each);
        if (verdict !== null) ({ state } = verdict);
        return verdict?.fires === true;
      });
    };
    expect(run(["stale", "live", "delayed", "stale", "stale", "closed", "live"])).toEqual(["stale", "closed"]);
    expect(run(["live", "delayed", "live"])).toEqual([]);
  });

  test("of events finds each new one once, and forgets those that are gone", () => {
    const releases = { ignoresFirst: true };
    expect(evaluateEvents(["a"], null, releases)).toEqual({ state: { seen: ["a"] }, fresh: [] });
    expect(evaluateEvents(["a"], { seen: ["a"] }, releases)).toBeNull();
    expect(evaluateEvents(["a", "b"], { seen: ["a"] }, releases)).toEqual({
      state: { seen: ["a", "b"] },
      fresh: ["b"],
    });
    expect(evaluateEvents(["b"], { seen: ["a", "b"] }, releases)).toEqual({ state: { seen: ["b"] }, fresh: [] });
    expect(evaluateEvents(["a"], null, { ignoresFirst: false })).toEqual({ state: { seen: ["a"] }, fresh: ["a"] });
  });
});

const START_MS = Date.UTC(2026, 0, 15, 12);

test("A window has the lowest and highest price of its minutes, and forgets older ones", () => {
  const window = new PriceWindow(10);
  expect(window.findLowest(START_MS)).toBe(Infinity);
  window.add(1.2, START_MS);
  window.add(1.0, START_MS + 5 * MINUTE_MS);
  window.add(1.1, START_MS + 9 * MINUTE_MS);
  expect(window.findHighest(START_MS + 9 * MINUTE_MS)).toBe(1.2);
  expect(window.findLowest(START_MS + 9 * MINUTE_MS)).toBe(1);
  expect(window.findHighest(START_MS + 10 * MINUTE_MS)).toBe(1.1);
  expect(window.findLowest(START_MS + 15 * MINUTE_MS)).toBe(1.1);
  expect(window.findHighest(START_MS + 19 * MINUTE_MS)).toBe(-Infinity);
});

test("A window never counts a price that is too old, and counts all of its last 59 sixtieths", () => {
  const step = fc.record({
    afterMs: fc.integer({ min: 0, max: 30 * SECOND_MS }),
    price: fc.integer({ min: 1, max: 99 }),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 90 }), fc.array(step, { minLength: 1, maxLength: 200 }), (minutes, steps) => {
      const window = new PriceWindow(minutes);
      const lengthMs = minutes * MINUTE_MS;
      const added: { timeMs: number; price: number }[] = [];
      let timeMs = START_MS;
      for (const { afterMs, price } of steps) {
        timeMs += afterMs;
        added.push({ timeMs, price });
        window.add(price, timeMs);
      }
      const within = (ms: number) => added.filter((each) => each.timeMs > timeMs - ms).map(({ price }) => price);
      const [all, certain] = [within(lengthMs), within((lengthMs * 59) / 60)];
      expect(window.findLowest(timeMs)).toBeGreaterThanOrEqual(Math.min(...all));
      expect(window.findLowest(timeMs)).toBeLessThanOrEqual(Math.min(...certain));
      expect(window.findHighest(timeMs)).toBeLessThanOrEqual(Math.max(...all));
      expect(window.findHighest(timeMs)).toBeGreaterThanOrEqual(Math.max(...certain));
    }),
  );
});

test("A move is measured from the lowest or the highest price of the window", () => {
  const window = new PriceWindow(60);
  expect(computeMoves(1, window, START_MS)).toEqual({ up: 0, down: 0 });
  for (const [index, price] of [100, 98, 101].entries()) window.add(price, START_MS + index * MINUTE_MS);
  const moves = computeMoves(99.96, window, START_MS + 2 * MINUTE_MS);
  expect(moves.up).toBeCloseTo(2, 10);
  expect(moves.down).toBeCloseTo(-1.0297, 4);
  expect(findMove(moves, 2, "up")).toBe(moves.up);
  expect(findMove(moves, 2.01, "either")).toBeNull();
  expect(findMove(moves, 1, "down")).toBe(moves.down);
  expect(findMove(moves, 1, "either")).toBe(moves.up);
});

/** The prices at which a level of 1.1 is crossed. */
function findCrossings(prices: readonly number[], direction: Direction, before: Side | null = null): number[] {
  let side = before;
  return prices.filter((price) => {
    const after = findSide(price, 1.1);
    const crossed = hasCrossed(side, after, direction);
    side = after;
    return crossed;
  });
}

describe("a price alert", () => {
  test("fires when the price reaches or passes its level, in its direction", () => {
    const prices = [1.09, 1.11, 1.12, 1.08, 1.07, 1.1, 1.06];
    expect(findCrossings(prices, "up")).toEqual([1.11, 1.1]);
    expect(findCrossings(prices, "down")).toEqual([1.08]);
    expect(findCrossings(prices, "either")).toEqual([1.11, 1.08, 1.1]);
  });

  test("fires once for a price that reaches the level, then leaves it to either side", () => {
    expect(findCrossings([1.09, 1.1, 1.11], "either")).toEqual([1.1]);
    expect(findCrossings([1.09, 1.1, 1.09], "either")).toEqual([1.1]);
    expect(findCrossings([1.11, 1.1, 1.1, 1.09], "down")).toEqual([1.1]);
  });

  test("fires at the first price beyond the level after a gap, also across a restart", () => {
    expect(findCrossings([1.3], "up", -1)).toEqual([1.3]);
    expect(findCrossings([0.9], "down", 1)).toEqual([0.9]);
    expect(findCrossings([1.3], "down", -1)).toEqual([]);
  });

  test("does not fire at its first price, wherever that is", () => {
    for (const price of [1.09, 1.1, 1.11]) expect(findCrossings([price], "either")).toEqual([]);
  });

  test("compares the bid, the ask or their mean", () => {
    const quote = { bid: 1, ask: 3 };
    expect([choosePrice(quote, "bid"), choosePrice(quote, "ask"), choosePrice(quote, "mid")]).toEqual([1, 3, 2]);
  });
});
