import { describe, expect, test } from "vitest";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { createResolver } from "@/lib/market/resolver";
import { createSymbolFilter, searchInstruments } from "@/lib/market/symbol-search";

const added = { ...(instrumentBySymbol.get("AAPL") as Instrument), symbol: "AHA.US", name: "Aha Société", aliases: [] };
const all = [...instruments, added];
const resolver = createResolver(all);
const search = (text: string) => searchInstruments(all, text, resolver).map(({ symbol }) => symbol);
const filter = (text: string) => all.filter(createSymbolFilter(text, resolver)).map(({ symbol }) => symbol);

describe("A search by a person", () => {
  test.each([
    ["eur/usd", "EURUSD"],
    ["EURUSD.pro", "EURUSD"],
    ["eur usd", "EURUSD"],
    ["dax", "GER40"],
    ["nasdaq", "NAS100"],
    ["gold", "XAUUSD"],
    ["aha.us", "AHA.US"],
    ["ahaus", "AHA.US"],
    ["apple", "AAPL"],
    ["dollar yen", "USDJPY"],
    ["société", "AHA.US"],
  ])("for %j has %s first", (text, symbol) => {
    expect(search(text)[0]).toBe(symbol);
  });

  test("has what begins with the text before what has it elsewhere", () => {
    const found = search("usd");
    const last = found.findLastIndex((symbol) => symbol.startsWith("USD"));
    const first = found.findIndex((symbol) => symbol === "EURUSD");
    expect(last).toBeGreaterThanOrEqual(0);
    expect(first).toBeGreaterThan(last);
  });

  test("finds a category by its name", () => {
    expect(search("crypto")).toEqual(expect.arrayContaining(["BTCUSD", "ETHUSD"]));
  });

  test("finds nothing for a text without letters and digits, and for one that matches nothing", () => {
    expect(search(" /.")).toEqual([]);
    expect(search("no such thing at all")).toEqual([]);
  });
});

describe("The filter of the API", () => {
  test.each([
    ["EUR/USD", ["EURUSD"]],
    ["eur_usd", ["EURUSD"]],
    ["EURUSD.r", ["EURUSD"]],
    ["aha.us", ["AHA.US"]],
    ["ger40", ["GER40"]],
    ["dax", ["GER40"]],
  ])("for %j has %j", (text, symbols) => {
    expect(filter(text)).toEqual(symbols);
  });

  test("has every symbol and name with the text, and begins of pairs with punctuation", () => {
    expect(filter("usd").length).toBeGreaterThan(20);
    expect(filter("usd/j")).toEqual(["USDJPY"]);
  });

  test("does not take a part of an alias", () => {
    expect(filter("idx-eur")).toEqual([]);
  });
});
