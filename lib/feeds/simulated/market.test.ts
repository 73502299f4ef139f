import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findAsset, findLegs } from "@/lib/feeds/simulated/assets";
import { brokers, isDown } from "@/lib/feeds/simulated/brokers";
import { createMarket, createQuoter, type PricedInstrument } from "@/lib/feeds/simulated/market";
import { instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { DAY_MS } from "@/lib/time/units";

const START = Date.UTC(2026, 0, 1);
const YEAR_MS = 365 * DAY_MS;
const market = createMarket("test", instruments);
const priced = (symbol: string) => market.get(symbol) as PricedInstrument;
/** Several moments of one week, because the first price of a week takes a thousand times as long as the next ones. */
const momentsOfWeek = fc
  .tuple(fc.integer({ min: START, max: START + YEAR_MS }), fc.array(fc.nat(7 * DAY_MS), { minLength: 5, maxLength: 5 }))
  .map(([fromMs, offsets]) => offsets.map((offset) => fromMs + offset));

describe("the simulated market", () => {
  test("has a level for every instrument of the catalog, and stays near it", () => {
    for (const instrument of instruments) {
      const legs = findLegs(instrument);
      expect(legs, instrument.symbol).toBeDefined();
      if (legs === undefined) continue;
      const usual = findAsset(legs.base).value / (legs.quote === null ? 1 : findAsset(legs.quote).value);
      const months = Array.from({ length: 12 }, (_, month) => START + (month * YEAR_MS) / 12);
      const ratios = months.map((at) => priced(instrument.symbol).midAt(at) / usual);
      expect(Math.min(...ratios), instrument.symbol).toBeGreaterThan(instrument.category === "crypto" ? 0.2 : 0.5);
      expect(Math.max(...ratios), instrument.symbol).toBeLessThan(instrument.category === "crypto" ? 5 : 2);
    }
  });

  test.each([
    ["EURUSD", "USDJPY", "EURJPY"],
    ["GBPUSD", "USDCHF", "GBPCHF"],
    ["XAUUSD", "USDCHF", "XAUCHF"],
    ["AUDUSD", "USDCAD", "AUDCAD"],
    ["EURUSD", "USDSEK", "EURSEK"],
  ])("prices %s × %s as %s at every instant, at every broker, within the spread", (first, second, cross) => {
    fc.assert(
      fc.property(momentsOfWeek, fc.constantFrom(...brokers), (moments, broker) => {
        const quoters = [first, second, cross].map((symbol) => createQuoter("test", broker, priced(symbol)));
        for (const at of moments) {
          const mid = priced(first).midAt(at) * priced(second).midAt(at);
          expect(Math.abs(priced(cross).midAt(at) / mid - 1)).toBeLessThan(1e-9);
          const [a, b, c] = quoters.map((quote) => quote(at));
          if (a === undefined || b === undefined || c === undefined) throw new Error("three quotes expected");
          // A trade around the triangle never makes a profit.
          expect(a.bid * b.bid).toBeLessThanOrEqual(c.ask);
          expect(a.ask * b.ask).toBeGreaterThanOrEqual(c.bid);
        }
      }),
      { numRuns: 30 },
    );
  });

  test("differs with another seed", () => {
    const other = createMarket("other", instruments).get("EURUSD") as PricedInstrument;
    expect(other.midAt(START)).not.toBe(priced("EURUSD").midAt(START));
  });

  test("has realistic spreads, never crossed, on the instrument's grid", () => {
    const pips = (symbol: string, broker: (typeof brokers)[number]) => {
      const quote = createQuoter("test", broker, priced(symbol));
      const { pipSize, digits } = priced(symbol).instrument;
      const spreads = Array.from({ length: 5_000 }, (_, i) => {
        const { bid, ask } = quote(Date.UTC(2026, 0, 14, 9) + i * 1_000);
        // Compared without `expect`, which for this many quotes takes a second.
        if (ask < bid || Number(bid.toFixed(digits)) !== bid) throw new Error(`${symbol} at ${bid} and ${ask}`);
        return (ask - bid) / pipSize;
      });
      return spreads.reduce((sum, spread) => sum + spread) / spreads.length;
    };
    for (const broker of brokers) {
      expect(pips("EURUSD", broker)).toBeGreaterThan(0.2);
      expect(pips("EURUSD", broker)).toBeLessThan(1.5);
      expect(pips("GBPNZD", broker)).toBeGreaterThan(pips("EURUSD", broker));
      expect(pips("XAUUSD", broker)).toBeLessThan(80);
    }
  });

  test("lets its brokers disagree by less than their spreads", () => {
    const quotes = brokers.map((broker) => createQuoter("test", broker, priced("EURUSD")));
    fc.assert(
      fc.property(momentsOfWeek, (moments) => {
        for (const at of moments) {
          const prices = quotes.map((quote) => quote(at));
          const mids = prices.map(({ bid, ask }) => (bid + ask) / 2);
          const widest = Math.max(...prices.map(({ bid, ask }) => ask - bid));
          expect(Math.max(...mids) - Math.min(...mids)).toBeLessThan(widest);
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe("the simulated brokers", () => {
  const resolver = createResolver(instruments);

  test.each(brokers)("$name spells every instrument so that the resolver finds it, and no two alike", (broker) => {
    const listed = instruments.filter(({ category }) => broker.categories.has(category));
    for (const instrument of listed)
      expect(resolver.find(broker.spell(instrument)), broker.spell(instrument)).toBe(instrument);
    expect(new Set(listed.map(broker.spell)).size).toBe(listed.length);
  });

  test("include at least three that quote each instrument, so that one can fail", () => {
    for (const { category } of instruments) {
      expect(brokers.filter((broker) => broker.categories.has(category)).length).toBeGreaterThanOrEqual(3);
    }
  });

  test.each(brokers)("$name is down now and then, for tens of seconds to minutes", ({ name }) => {
    const lengths: number[] = [];
    let down = 0;
    for (let at = START; at < START + 7 * DAY_MS; at += 1_000) {
      if (isDown("test", name, at)) down++;
      else if (down > 0) {
        lengths.push(down);
        down = 0;
      }
    }
    expect(lengths.length).toBeGreaterThan(50);
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(19);
    expect(Math.max(...lengths)).toBeLessThanOrEqual(151);
  });
});
