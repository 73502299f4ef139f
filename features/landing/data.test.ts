import { describe, expect, test } from "vitest";
import { readLandingQuote } from "@/features/landing/data";
import { createBook } from "@/lib/book/book";
import type { DataMode } from "@/lib/market/bar";
import { instrumentBySymbol } from "@/lib/market/catalog";

const START = Date.UTC(2026, 0, 7, 12, 0, 0, 250);

function openLanding(mode: DataMode, landingSymbol: string | null) {
  let nowMs = START;
  const now = () => nowMs;
  const book = createBook({ sources: [{ name: "alpha", mode }], now });
  const quote = (symbol: string, bid: number) => {
    const instrument = instrumentBySymbol.get(symbol);
    if (instrument === undefined) throw new Error(`${symbol} is not in the catalogue`);
    book.accept({ source: "alpha", instrument, bid, ask: bid + 0.0001, timeMs: nowMs });
  };
  const read = () => readLandingQuote({ book, now, config: { landingSymbol } });
  return { quote, read, wait: (ms: number) => (nowMs += ms) };
}

describe("readLandingQuote", () => {
  test("shows a simulated EURUSD without a setting, with its time cut to the second", () => {
    const { quote, read } = openLanding("simulated", null);
    quote("EURUSD", 1.1);
    expect(read()).toMatchObject({
      symbol: "EURUSD",
      bid: 1.1,
      mode: "simulated",
      timeMs: Math.floor(START / 1e3) * 1e3,
    });
  });

  test("shows no price of a broker unless the operator names the symbol", () => {
    const unnamed = openLanding("live", null);
    unnamed.quote("EURUSD", 1.1);
    expect(unnamed.read()).toBeNull();
    const named = openLanding("live", "EURUSD");
    named.quote("EURUSD", 1.1);
    expect(named.read()).toMatchObject({ bid: 1.1, mode: "live" });
  });

  test("shows nothing if the operator wants none, and for a symbol without a price", () => {
    const { quote, read } = openLanding("simulated", "none");
    quote("EURUSD", 1.1);
    expect(read()).toBeNull();
    expect(openLanding("simulated", null).read()).toBeNull();
  });

  test("shows the same quote to all visitors of one second", () => {
    const { quote, read, wait } = openLanding("simulated", null);
    quote("EURUSD", 1.1);
    expect(read()?.bid).toBe(1.1);
    wait(100);
    quote("EURUSD", 1.2);
    expect(read()?.bid).toBe(1.1);
    wait(1_000);
    expect(read()?.bid).toBe(1.2);
  });
});
