import { describe, expect, test } from "vitest";
import { readWireDay, toNextRow, toWireDay, withDay } from "@/features/quotes/board-row";
import type { WireRow } from "@/features/quotes/types";

const LIVE = 0;
const STALE = 2;
const wire = (bid: number, ask: number, timeMs: number, source = "alpha", state = LIVE): WireRow => [
  "EURUSD",
  bid,
  ask,
  0.8,
  timeMs,
  source,
  state,
];

describe("nextRow", () => {
  const first = toNextRow(undefined, wire(1.1, 1.2, 1));

  test("returns a first row without a direction and without a flash", () => {
    expect(first).toMatchObject({ bidMove: 0, askMove: 0, bidMoves: 0, askMoves: 0, state: "live" });
  });

  test("counts a move only for the side that moved, in its direction", () => {
    expect(toNextRow(first, wire(1.15, 1.2, 2))).toMatchObject({ bidMove: 1, bidMoves: 1, askMove: 0, askMoves: 0 });
    expect(toNextRow(first, wire(1.1, 1.19, 2))).toMatchObject({ bidMove: 0, bidMoves: 0, askMove: -1, askMoves: 1 });
  });

  test("repeats the last direction without a new move while a price repeats", () => {
    const up = toNextRow(first, wire(1.15, 1.2, 2));
    expect(toNextRow(up, wire(1.15, 1.2, 3))).toMatchObject({ bidMove: 1, bidMoves: 1, timeMs: 3 });
  });

  test("counts no move when the source changes", () => {
    const up = toNextRow(first, wire(1.15, 1.25, 2));
    expect(toNextRow(up, wire(1.3, 1.4, 3, "beta"))).toMatchObject({
      bidMove: 0,
      askMove: 0,
      bidMoves: 1,
      askMoves: 1,
    });
  });

  test("returns the same row if nothing changed, so that nothing renders", () => {
    expect(toNextRow(first, wire(1.1, 1.2, 1))).toBe(first);
  });

  test("returns a new row if only the state changed", () => {
    expect(toNextRow(first, wire(1.1, 1.2, 1, "alpha", STALE))).toMatchObject({ state: "stale", bidMoves: 0 });
  });

  test("keeps the day, and extends its range by newer prices", () => {
    const day = { startMs: 0, previousClose: 1, open: 1.1, high: 1.12, low: 1.09 };
    expect(first.day).toBeNull();
    const known = withDay(first, day);
    expect(known.day).toBe(day);
    expect(toNextRow(known, wire(1.11, 1.2, 2)).day).toBe(day);
    expect(toNextRow(known, wire(1.13, 1.2, 2)).day).toEqual({ ...day, high: 1.13 });
    expect(toNextRow(known, wire(1.05, 1.2, 2, "beta")).day).toEqual({ ...day, low: 1.05 });
    expect(readWireDay(toWireDay("EURUSD", day))).toEqual(day);
  });

  test("reads an unknown state as stale", () => {
    expect(toNextRow(first, wire(1.1, 1.2, 1, "alpha", 9)).state).toBe("stale");
  });
});
