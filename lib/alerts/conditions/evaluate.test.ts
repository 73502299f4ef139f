import { describe, expect, test } from "vitest";
import {
  type AlertState,
  evaluateEvents,
  evaluateMove,
  evaluatePrice,
  evaluateSpread,
  evaluateState,
} from "@/lib/alerts/conditions/evaluate";
import type { QuoteState } from "@/lib/book/freshness";

describe("an evaluation", () => {
  test("of a price changes the state only when the price changes sides", () => {
    const condition = { type: "price", symbol: "EURUSD", level: 1.1, direction: "up", price: "ask" } as const;
    const at = (ask: number) => ({ bid: ask - 0.1, ask });
    expect(evaluatePrice(condition, null, at(1.05))).toEqual({ state: { side: -1 }, fires: false });
    expect(evaluatePrice(condition, { side: -1 }, at(1.09))).toBeNull();
    expect(evaluatePrice(condition, { side: -1 }, at(1.12))).toEqual({ state: { side: 1 }, fires: true });
    expect(evaluatePrice(condition, { side: 1 }, at(1.05))).toEqual({ state: { side: -1 }, fires: false });
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
