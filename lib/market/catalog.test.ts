import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import {
  dropInstruments,
  getBuiltInDigits,
  instrumentBySymbol,
  instruments,
  isBuiltIn,
  putInstruments,
} from "@/lib/market/catalog";
import { CATEGORIES, type Instrument, WEEKDAYS } from "@/lib/market/instrument";
import { getSpreadPips } from "@/lib/market/price";

const MAJORS = ["EUR", "GBP", "AUD", "NZD", "USD", "CAD", "CHF", "JPY"];

test("The catalog has at least 130 instruments, each symbol once", () => {
  expect(instruments.length).toBeGreaterThanOrEqual(130);
  expect(instrumentBySymbol.size).toBe(instruments.length);
});

test("Removing an instrument twice removes no other one", () => {
  const [first] = instruments;
  const symbols = instruments.map(({ symbol }) => symbol);
  putInstruments([{ ...(first as Instrument), symbol: "TWICE1" }]);
  dropInstruments(["TWICE1", "TWICE1", "NOSUCHTHING"]);
  expect(instruments.map(({ symbol }) => symbol)).toEqual(symbols);
});

test("The catalog has all 28 pairs of the eight majors, each in one direction only", () => {
  const pairs = MAJORS.flatMap((base) => MAJORS.map((quote) => base + quote));
  expect(pairs.filter((pair) => instrumentBySymbol.has(pair))).toHaveLength(28);
});

test("The catalog has every category", () => {
  expect(new Set(instruments.map(({ category }) => category))).toEqual(new Set(CATEGORIES));
});

test("The digits of built-in instruments stay, because stored prices that say no digits have them", () => {
  const builtIn = instruments.filter(({ symbol }) => isBuiltIn(symbol));
  const list = builtIn.map(({ symbol }) => `${symbol} ${getBuiltInDigits(symbol)}`).sort();
  // A new instrument changes this; a known one must not.
  expect(createHash("sha256").update(list.join()).digest("hex").slice(0, 16)).toBe("9f82ec64104cee35");
});

describe.each(instruments.map((instrument) => [instrument.symbol, instrument] as const))("%s", (symbol, instrument) => {
  test("has a canonical name, a grid no coarser than its pip, and tradable volumes", () => {
    expect(symbol).toMatch(/^[A-Z0-9]+(\.[A-Z]{2})?$/);
    expect(instrument.name).not.toBe("");
    expect(Number(`1e-${instrument.digits}`)).toBeLessThanOrEqual(instrument.pipSize);
    expect(() => getSpreadPips(1, 2, instrument)).not.toThrow();
    expect(instrument.contractSize).toBeGreaterThan(0);
    expect(instrument.minVolume).toBeLessThanOrEqual(instrument.maxVolume);
    expect(instrument.volumeStep).toBeGreaterThan(0);
    expect(instrument.quote).toMatch(/^[A-Z]{3}$/);
  });

  test("trades on weekdays, in ordered spans that do not overlap", () => {
    for (const day of WEEKDAYS) {
      const times = instrument.tradingHours.days[day].flatMap(({ from, to }) => [from, to]);
      for (const time of times) expect(time).toMatch(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/);
      expect([...times].sort()).toEqual(times);
    }
    expect(instrument.tradingHours.days.wednesday).not.toEqual([]);
  });
});
