import { describe, expect, test } from "vitest";
import { summariseMarket } from "@/features/overview/market";
import type { BoardRow } from "@/features/quotes/types";
import { instruments } from "@/lib/market/catalog";

const digits = Object.fromEntries(instruments.map((instrument) => [instrument.symbol, instrument.digits]));
const DAY = { startMs: 0, previousClose: 1, open: 1, high: 2, low: 0.5 };

const row = (symbol: string, bid: number, more: Partial<BoardRow> = {}): BoardRow => ({
  symbol,
  bid,
  ask: bid,
  spreadPips: 1,
  timeMs: 0,
  source: "alpha",
  state: "live",
  day: DAY,
  bidMove: 0,
  askMove: 0,
  bidMoves: 0,
  askMoves: 0,
  ...more,
});

describe("summariseMarket", () => {
  test("ranks the largest changes of the day in both directions", () => {
    const rows = [row("EURUSD", 1.01), row("GBPUSD", 0.98), row("AUDUSD", 1.02), row("NZDUSD", 1), row("USDCHF", 0.99)];
    const { rising, falling } = summariseMarket(rows, { usual: null, digits });
    expect(rising.map(({ symbol, percent }) => [symbol, percent])).toEqual([
      ["AUDUSD", 2],
      ["EURUSD", 1],
    ]);
    expect(falling.map(({ symbol, bid }) => [symbol, bid])).toEqual([
      ["GBPUSD", "0.98000"],
      ["USDCHF", "0.99000"],
    ]);
  });

  test("leaves out prices that are stale, of closed markets, or without a day", () => {
    const rows = [
      row("EURUSD", 1.1, { state: "closed" }),
      row("GBPUSD", 1.1, { state: "stale" }),
      row("AUDUSD", 1.1, { day: null }),
      row("NZDUSD", 1.1, { state: "delayed" }),
    ];
    const { rising, moving } = summariseMarket(rows, { usual: null, digits });
    expect(rising.map(({ symbol }) => symbol)).toEqual(["NZDUSD"]);
    expect(moving).toBe(2);
  });

  test("lists spreads above the usual ones, the widest against it first", () => {
    const rows = [
      row("EURUSD", 1, { spreadPips: 2 }),
      row("GBPUSD", 1, { spreadPips: 9 }),
      row("AUDUSD", 1, { spreadPips: 1 }),
      row("NZDUSD", 1, { spreadPips: 5 }),
    ];
    const { wide, wideCount } = summariseMarket(rows, {
      usual: { EURUSD: 1.5, GBPUSD: 3, AUDUSD: 1, NZDUSD: 0 },
      digits,
    });
    expect(wide.map(({ symbol }) => symbol)).toEqual(["GBPUSD", "EURUSD"]);
    expect(wideCount).toBe(2);
  });

  test("has no wide spread while the usual ones are not known", () => {
    expect(summariseMarket([row("EURUSD", 1, { spreadPips: 99 })], { usual: null, digits }).wide).toEqual([]);
  });
});
