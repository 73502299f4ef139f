import { describe, expect, test } from "vitest";
import { findSymbol, withSymbol } from "@/components/shell/commands/current-symbol";

const find = (address: string) => {
  const { pathname, searchParams } = new URL(address, "http://localhost");
  return findSymbol(pathname, searchParams);
};

describe("findSymbol", () => {
  test("reads the symbol of a page from its path or its query", () => {
    expect(find("/symbols/XAUUSD?timeframe=H1")).toBe("XAUUSD");
    expect(find("/ticks?symbol=GER40")).toBe("GER40");
    expect(find("/spreads?symbols=EURUSD,GBPUSD")).toBe("EURUSD");
    expect(find("/quotes?open=EURUSD")).toBe("EURUSD");
  });

  test("finds none in other addresses, nor in what cannot be a symbol", () => {
    expect(find("/keys")).toBeNull();
    expect(find("/symbols")).toBeNull();
    expect(find("/ticks?symbol=%22onload")).toBeNull();
  });
});

test("A link keeps the symbol where its page can show one", () => {
  expect(withSymbol("/spreads", "EURUSD")).toBe("/spreads?symbols=EURUSD");
  expect(withSymbol("/symbols", "EURUSD")).toBe("/symbols/EURUSD");
  expect(find(withSymbol("/strength", "EURUSD"))).toBe("EURUSD");
  expect(withSymbol("/keys", "EURUSD")).toBe("/keys");
  expect(withSymbol("/ticks", null)).toBe("/ticks");
});
