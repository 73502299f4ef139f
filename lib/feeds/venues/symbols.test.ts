import { describe, expect, test } from "vitest";
import { chooseSymbols } from "@/lib/feeds/venues/symbols";

function choose(available: readonly string[], listed: readonly string[] | null) {
  const problems: string[] = [];
  return { chosen: chooseSymbols(available, listed, (problem) => void problems.push(problem)), problems };
}

describe("the symbols that are subscribed to at a venue", () => {
  test("are those of OANDA and cTrader that the catalog has, if none are listed", () => {
    const oanda = ["EUR_USD", "XAU_USD", "SPX500_USD", "US30_USD", "DE30_EUR", "BCO_USD", "NOPE_XYZ"];
    expect(choose(oanda, null).chosen).toEqual(oanda.slice(0, -1));
    expect(choose(["EURUSD", "US 500", "Cheese"], null).chosen).toContain("EURUSD");
  });

  test("are one for each instrument, the one whose name is surest", () => {
    expect(choose(["EURUSD.x", "EURUSD", "EUR/USD", "GBPUSD.x"], null)).toEqual({
      chosen: ["EURUSD", "GBPUSD.x"],
      problems: [],
    });
  });

  test("are the listed ones that the account has, and the others are reported", () => {
    expect(choose(["EUR_USD", "XAU_USD"], ["XAU_USD", "NOPE", "XAU_USD"])).toEqual({
      chosen: ["XAU_USD"],
      problems: ["not in the account, left out: NOPE"],
    });
  });

  test("are at least one, or the account is read again minutes later", () => {
    expect(() => choose([], null)).toThrow(expect.objectContaining({ retryAfterMs: 300_000, isFinal: false }));
  });
});
