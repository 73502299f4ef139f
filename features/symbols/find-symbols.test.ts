import { expect, test } from "vitest";
import { findSymbols } from "@/features/symbols/find-symbols";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { CATEGORIES, type Instrument } from "@/lib/market/instrument";
import { createResolver } from "@/lib/market/resolver";

const apple = instrumentBySymbol.get("AAPL") as Instrument;
const shares = Array.from({ length: 5_000 }, (_, at) => ({
  ...apple,
  symbol: `T${at}.US`,
  name: `Trust ${at}`,
  aliases: [],
}));
const instruments = [...instrumentBySymbol.values(), ...shares];
const find = (search: string) => findSymbols({ instruments, resolver: createResolver(instruments) }, search);

test("A search of thousands of symbols has the closest twenty, and the count of each category", () => {
  const { hits, counts } = find("trust");
  expect(hits).toHaveLength(20);
  expect(hits[0]).toEqual({ symbol: "T0.US", name: "Trust 0", category: "stocks" });
  expect(counts).toEqual({ stocks: 5_000 });
  expect(find("t4999.us").hits).toMatchObject([{ symbol: "T4999.US" }]);
});

test("Before anything is typed, each category has its first symbols and its count", () => {
  const { hits, counts } = find(" ");
  expect([...new Set(hits.map(({ category }) => category))]).toEqual([...CATEGORIES]);
  expect(hits.length).toBeLessThanOrEqual(20);
  expect(hits[0]?.symbol).toBe("EURUSD");
  expect(counts.stocks).toBeGreaterThan(5_000);
});

test("A text that nothing matches has no symbols and no counts", () => {
  expect(find("no such thing")).toEqual({ hits: [], counts: {} });
});
