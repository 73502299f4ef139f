import { expect, test } from "vitest";
import { createPriceWatch } from "@/lib/feeds/live/price-watch";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { TradingHours } from "@/lib/market/instrument";
import { cryptoHours } from "@/lib/market/instruments/hours";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const WEDNESDAY = Date.UTC(2026, 0, 14, 14);
const SATURDAY = Date.UTC(2026, 0, 17, 12);
/** 17:00 in New York. */
const SUNDAY_OPENING = Date.UTC(2026, 0, 18, 22);

interface More {
  readonly hours?: TradingHours | null;
  readonly expectedRate?: number | null;
}

function watch(symbols: readonly string[], { hours = null, expectedRate = null }: More = {}) {
  let nowMs = WEDNESDAY;
  const instruments = symbols.flatMap((symbol) => instrumentBySymbol.get(symbol) ?? []);
  const prices = createPriceWatch({ instruments, hours, expectedRate, now: () => nowMs });
  return { silenceMs: prices?.silenceMs, expectedAt: (atMs: number) => ((nowMs = atMs), prices?.areExpected()) };
}

test("Prices are missed sooner from a source of coins, or as soon as the operator's rate says", () => {
  expect(watch(["BTCUSD", "ETHUSD"]).silenceMs).toBe(MINUTE_MS);
  expect(watch(["EURUSD", "BTCUSD"]).silenceMs).toBe(3 * MINUTE_MS);
  expect(watch(["EURUSD"], { expectedRate: 0.2 }).silenceMs).toBe(5 * MINUTE_MS);
  expect(watch(["EURUSD"], { expectedRate: 100 }).silenceMs).toBe(30 * SECOND_MS);
  expect(watch([]).silenceMs).toBeUndefined();
});

test("Prices are expected while any market of the source is open, by its own hours if it has some", () => {
  expect(watch(["EURUSD"]).expectedAt(WEDNESDAY)).toBe(true);
  expect(watch(["EURUSD"]).expectedAt(SATURDAY)).toBe(false);
  expect(watch(["EURUSD", "BTCUSD"]).expectedAt(SATURDAY)).toBe(true);
  expect(watch(["EURUSD"], { hours: cryptoHours }).expectedAt(SATURDAY)).toBe(true);
});

test("A market that has just opened may be silent as long as one that was open", () => {
  const { expectedAt } = watch(["EURUSD"]);
  const openMs = [0, 1, 2, 3, 6, 10, 20].find((minutes) => expectedAt(SUNDAY_OPENING + minutes * MINUTE_MS));
  expect(openMs).toBeGreaterThanOrEqual(3);
});
