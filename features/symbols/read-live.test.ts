import { describe, expect, test } from "vitest";
import { readLive } from "@/features/symbols/read-live";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { SECOND_MS } from "@/lib/time/units";

const NOW = Date.UTC(2026, 10, 25, 12, 7, 30);
const instrument = instrumentBySymbol.get("EURUSD") as Instrument;
const bar = { timeMs: NOW, open: 1, high: 1, low: 1, close: 1, volume: 1 };

/** Reads the newest bar, and lists the ranges that were looked up for it. */
async function read(request: { timeframe: "M1" | "M15" | "S5"; price: "bid" | "ask" }, state: "live" | "closed") {
  const ranges: object[] = [];
  const bars = { readRange: (_symbol: string, _timeframe: string, range: object) => (ranges.push(range), [bar]) };
  const quote = { source: "a", bid: 1, ask: 2, spreadPips: 1, timeMs: NOW, state };
  const runtime = {
    book: { served: () => quote, sources: () => [] },
    history: { bars, sides: { ask: bars, mid: bars } },
    marketNow: () => NOW,
  };
  const live = await readLive(runtime as never, { instrument, compare: null, ...request });
  return { bar: live.bar, ranges };
}

describe("The newest bar", () => {
  test("of seconds is looked for from the one that was filling ten seconds ago on", async () => {
    const { ranges } = await read({ timeframe: "M15", price: "ask" }, "live");
    expect(ranges).toEqual([{ fromMs: Date.UTC(2026, 10, 25, 12), limit: 11 }]);
    const seconds = await read({ timeframe: "S5", price: "bid" }, "live");
    expect(seconds.ranges).toEqual([{ fromMs: NOW - 10 * SECOND_MS, limit: 11 }]);
  });

  test("of seconds is not looked for while the market is closed, and a stored one is in memory", async () => {
    expect(await read({ timeframe: "M1", price: "ask" }, "closed")).toEqual({ bar: null, ranges: [] });
    expect((await read({ timeframe: "M1", price: "bid" }, "closed")).ranges).toEqual([{ limit: 1 }]);
  });
});
