import { beyondLevels, type IndicatorDefinition, type Stream } from "@/lib/analytics/indicators/definition";
import { bars, type IndicatorFamily } from "@/lib/analytics/indicators/family";
import { Window } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/**
 * Volume is tick volume, the number of price updates. OBV and AD add up from the first bar that was ever recorded of the
 * symbol and timeframe: only their changes have a meaning, not their level.
 */

/** On-balance volume (OBV.mq5). */
class OnBalanceVolume implements Stream {
  balance = 0;
  previousClose: number | null = null;

  push(bar: Bar): number {
    // The sample starts with the first bar's volume, as after a rise.
    if (this.previousClose === null || bar.close > this.previousClose) this.balance += bar.volume;
    else if (bar.close < this.previousClose) this.balance -= bar.volume;
    this.previousClose = bar.close;
    return this.balance;
  }
}

/** Accumulation/distribution (AD.mq5). A bar without range adds nothing. */
class Accumulation implements Stream {
  total = 0;

  push(bar: Bar): number {
    const range = bar.high - bar.low;
    if (range !== 0) this.total += ((bar.close - bar.low - (bar.high - bar.close)) / range) * bar.volume;
    return this.total;
  }
}

const shared = {
  aliases: [],
  category: "volume",
  warmUp: 1,
  range: null,
  decimals: "volume",
  shape: "B",
} satisfies Partial<IndicatorDefinition>;

export const onBalanceVolume: IndicatorDefinition = {
  ...shared,
  name: "OBV",
  description:
    "On-balance volume: updates of rising bars less those of falling bars, counted from the first bar ever recorded",
  formula: "previous + volume if the close rose, − volume if it fell; starts with the first bar's volume",
  isEndless: true,
  isSum: true,
  create: () => new OnBalanceVolume(),
};

export const accumulation: IndicatorDefinition = {
  ...shared,
  name: "AD",
  description:
    "Accumulation/distribution: volume weighted by where the bar closed, counted from the first bar ever recorded",
  formula: "previous + volume × ((close − low) − (high − close)) / (high − low)",
  isEndless: true,
  isSum: true,
  create: () => new Accumulation(),
};

export const volumes: IndicatorDefinition = {
  ...shared,
  name: "Volumes",
  description: "Tick volume: price updates in the bar",
  formula: "volume",
  create: () => ({ push: (bar) => bar.volume }),
};

/** Money flow index with tick volume (MFI.mq5). Without a falling bar it is 100, also without any movement. */
class MoneyFlow implements Stream {
  readonly #inflows: Window;
  readonly #outflows: Window;
  #previous: number | null = null;
  #isFlat = false;

  constructor(period: number) {
    this.#inflows = new Window(period);
    this.#outflows = new Window(period);
  }

  push(bar: Bar): number | null {
    const typical = (bar.high + bar.low + bar.close) / 3;
    const previous = this.#previous;
    this.#previous = typical;
    if (previous === null) return null;
    const flow = typical * bar.volume;
    this.#inflows.push(typical > previous ? flow : 0);
    if (!this.#outflows.push(typical < previous ? flow : 0)) return null;
    const inflow = this.#inflows.sum();
    const outflow = this.#outflows.sum();
    this.#isFlat = inflow === 0 && outflow === 0;
    return outflow === 0 ? 100 : 100 - 100 / (1 + inflow / outflow);
  }

  isFlat(): boolean {
    return this.#isFlat;
  }
}

export const moneyFlow: IndicatorDefinition = {
  name: "MFI_14",
  aliases: [],
  category: "volume",
  description: "Money flow index of 14 bars: tick volume of rising bars against falling ones",
  formula:
    "100 − 100 / (1 + inflow / outflow); sums of typical price × volume over 14 bars whose typical price rose, fell",
  warmUp: 15,
  range: [0, 100],
  decimals: "oscillator",
  shape: "B",
  signal: beyondLevels(20, 80),
  create: () => new MoneyFlow(14),
};

export const volumeFamilies: readonly IndicatorFamily[] = [
  {
    name: "MFI",
    title: "Money flow index with tick volume",
    category: "volume",
    formula:
      "100 − 100 / (1 + inflow / outflow); sums of typical price × volume over `period` bars whose typical price rose, fell",
    source: "MetaTrader 5 (MFI.mq5)",
    parameters: [bars("period", 14)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period + 1,
      range: [0, 100],
      decimals: "oscillator",
      signal: beyondLevels(20, 80),
      create: () => new MoneyFlow(period),
    }),
  },
];
