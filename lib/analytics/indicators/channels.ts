import {
  aroundLevel,
  closeAgainstLine,
  type IndicatorDefinition,
  type Stream,
} from "@/lib/analytics/indicators/definition";
import { bars, factor, fadeExponential, fadeWilder, type IndicatorFamily } from "@/lib/analytics/indicators/family";
import {
  createLine,
  ExponentialAverage,
  type Filter,
  SimpleAverage,
  WilderAverage,
  Window,
} from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

/** Lines around the price: channels, bands and stops. */

/** Feeds the true range of each bar after the first to an average. */
export function createTrueRange(average: Filter): (bar: Bar) => number | null {
  let before: number | null = null;
  return ({ high, low, close }) => {
    const previous = before;
    before = close;
    return previous === null ? null : average.push(Math.max(high, previous) - Math.min(low, previous));
  };
}

/** The highest high and the lowest low of the latest bars; null while there are too few. */
function createExtremes(period: number): (bar: Bar) => { readonly high: number; readonly low: number } | null {
  const highs = new Window(period);
  const lows = new Window(period);
  return ({ high, low }) => {
    highs.push(high);
    return lows.push(low) ? { high: highs.highest(), low: lows.lowest() } : null;
  };
}

function createDonchian(period: number, line: string): Stream {
  const extremes = createExtremes(period);
  return createLine((bar) => {
    const found = extremes(bar);
    if (found === null) return null;
    return line === "upper" ? found.high : line === "lower" ? found.low : (found.high + found.low) / 2;
  });
}

/** +1 for an upper line, −1 for a lower one. */
const SIDES: Readonly<Record<string, number>> = { upper: 1, middle: 0, lower: -1 };

function createKeltner(period: number, atrPeriod: number, multiplier: number, line: string): Stream {
  const average = new ExponentialAverage(period);
  const range = createTrueRange(new WilderAverage(atrPeriod));
  const side = SIDES[line] as number;
  return createLine((bar) => {
    const middle = average.push(bar.close);
    const size = range(bar);
    return middle === null || (size === null && side !== 0) ? null : middle + side * multiplier * (size ?? 0);
  });
}

/** The stop that follows the price on one side until a bar closes beyond it. It begins above the price. */
class Supertrend implements Stream {
  readonly #range: (bar: Bar) => number | null;
  readonly #multiplier: number;
  readonly #showsDirection: boolean;
  #upper = Infinity;
  #lower = -Infinity;
  #isUp = false;
  #hasBegun = false;
  #previousClose = 0;

  constructor(period: number, multiplier: number, showsDirection: boolean) {
    this.#range = createTrueRange(new WilderAverage(period));
    this.#multiplier = multiplier;
    this.#showsDirection = showsDirection;
  }

  push(bar: Bar): number | null {
    const size = this.#range(bar);
    const before = this.#previousClose;
    this.#previousClose = bar.close;
    if (size === null) return null;
    const middle = (bar.high + bar.low) / 2;
    const [upper, lower] = [middle + this.#multiplier * size, middle - this.#multiplier * size];
    if (upper < this.#upper || before > this.#upper) this.#upper = upper;
    if (lower > this.#lower || before < this.#lower) this.#lower = lower;
    if (this.#hasBegun) this.#isUp = this.#isUp ? bar.close >= this.#lower : bar.close > this.#upper;
    this.#hasBegun = true;
    if (this.#showsDirection) return this.#isUp ? 1 : -1;
    return this.#isUp ? this.#lower : this.#upper;
  }
}

function createChandelier(period: number, multiplier: number, line: string): Stream {
  const extremes = createExtremes(period);
  const range = createTrueRange(new WilderAverage(period));
  return createLine((bar) => {
    const found = extremes(bar);
    const size = range(bar);
    if (found === null || size === null) return null;
    return line === "long" ? found.high - multiplier * size : found.low + multiplier * size;
  });
}

function createRangeBands(period: number, multiplier: number, line: string): Stream {
  const range = createTrueRange(new SimpleAverage(period));
  const side = SIDES[line] as number;
  return createLine((bar) => {
    const size = range(bar);
    return size === null ? null : bar.close + side * multiplier * size;
  });
}

function createEnvelope(period: number, percent: number, line: string): Stream {
  const average = new SimpleAverage(period);
  const side = SIDES[line] as number;
  return createLine(({ close }) => {
    const mean = average.push(close);
    return mean === null ? null : mean * (1 + (side * percent) / 100);
  });
}

function createWilderAtr(period: number): Stream {
  const range = createTrueRange(new WilderAverage(period));
  return createLine(range);
}

const onPrice = {
  range: null,
  decimals: "price",
  signal: closeAgainstLine,
} as const satisfies Partial<IndicatorDefinition>;
const band = { range: null, decimals: "price" } as const satisfies Partial<IndicatorDefinition>;
const multiplierOf = (usual: number) => factor("multiplier", usual);
const WILDER = "Wilder's average of the true range, seeded with the mean of the first";

export const channels: readonly IndicatorFamily[] = [
  {
    name: "Supertrend",
    title: "Supertrend",
    category: "trend",
    formula:
      "(high + low) / 2 ± multiplier × ATR; a line only moves towards the price until a bar closes beyond it; " +
      `begins with the upper line. ATR: ${WILDER} \`period\``,
    source: "Olivier Seban; as TradingView's ta.supertrend, with 1 for a rise and −1 for a fall",
    parameters: [bars("period", 10, 2, 100), multiplierOf(3)],
    lines: { "": "", direction: "direction" },
    define: (period: number, multiplier: number, line: string) => ({
      warmUp: period + 1,
      // Two series agree once both have turned at the same bar.
      lookback: fadeWilder(period) + 600,
      ...(line === "" ? onPrice : { range: [-1, 1], decimals: "oscillator", signal: aroundLevel(0) }),
      create: () => new Supertrend(period, multiplier, line === "direction"),
    }),
  },
  {
    name: "Donchian",
    title: "Donchian channel",
    category: "volatility",
    formula: "upper: highest high of `period` bars, this one included; lower: lowest low; middle: their mean",
    source: "Richard Donchian; as TradingView computes it",
    parameters: [bars("period", 20, 1)],
    lines: { upper: "upper line", middle: "middle line", lower: "lower line" },
    define: (period: number, line: string) => ({ warmUp: period, ...band, create: () => createDonchian(period, line) }),
  },
  {
    name: "Keltner",
    title: "Keltner channel",
    category: "volatility",
    formula: `EMA of \`period\` closes ± multiplier × ATR of \`atr\`. ATR: ${WILDER} \`atr\``,
    source: "Chester Keltner and Linda Raschke; as StockCharts computes it",
    parameters: [bars("period", 20), bars("atr", 10, 1, 250), multiplierOf(2)],
    lines: { upper: "upper line", middle: "middle line", lower: "lower line" },
    define: (period: number, atr: number, multiplier: number, line: string) => ({
      warmUp: line === "middle" ? period : Math.max(period, atr + 1),
      lookback: Math.max(fadeExponential(period), atr + fadeWilder(atr)),
      ...band,
      create: () => createKeltner(period, atr, multiplier, line),
    }),
  },
  {
    name: "Chandelier",
    title: "Chandelier exit",
    category: "volatility",
    formula:
      "long: highest high of `period` bars − multiplier × ATR; short: lowest low + multiplier × ATR. " +
      `ATR: ${WILDER} \`period\``,
    source: "Charles Le Beau; as StockCharts computes it",
    parameters: [bars("period", 22, 2, 100), multiplierOf(3)],
    lines: { long: "stop of a long position", short: "stop of a short position" },
    define: (period: number, multiplier: number, line: string) => ({
      warmUp: period + 1,
      lookback: period + fadeWilder(period),
      ...onPrice,
      create: () => createChandelier(period, multiplier, line),
    }),
  },
  {
    name: "ATRBands",
    title: "Bands of the average true range",
    category: "volatility",
    formula: "close ± multiplier × ATR, the plain mean of `period` true ranges",
    source: "the ATR of MetaTrader 5 around the close",
    parameters: [bars("period", 14, 1), multiplierOf(2)],
    lines: { upper: "upper band", lower: "lower band" },
    define: (period: number, multiplier: number, line: string) => ({
      warmUp: period + 1,
      ...band,
      create: () => createRangeBands(period, multiplier, line),
    }),
  },
  {
    name: "Envelopes",
    title: "Envelopes",
    category: "trend",
    formula: "mean of `period` closes × (1 ± percent / 100)",
    source: "MetaTrader 5 (iEnvelopes, MODE_SMA)",
    parameters: [bars("period", 14), factor("percent", 0.1, 0.01, 50)],
    lines: { upper: "upper line", lower: "lower line" },
    define: (period: number, percent: number, line: string) => ({
      warmUp: period,
      ...band,
      create: () => createEnvelope(period, percent, line),
    }),
  },
  {
    name: "WilderATR",
    title: "Average true range (Wilder)",
    category: "volatility",
    formula: `${WILDER} \`period\``,
    source: "Welles Wilder, as TA-Lib computes it; ATR is MetaTrader's plain mean",
    parameters: [bars("period", 14, 1, 250)],
    lines: { "": "" },
    define: (period: number) => ({
      warmUp: period + 1,
      lookback: period + fadeWilder(period),
      range: null,
      decimals: "difference",
      create: () => createWilderAtr(period),
    }),
  },
  {
    name: "Highest",
    title: "Highest high",
    category: "trend",
    formula: "highest high of `period` bars, this one included",
    source: "TradingView's ta.highest",
    parameters: [bars("period", 20, 1)],
    lines: { "": "" },
    define: (period: number) => ({ warmUp: period, ...band, create: () => createDonchian(period, "upper") }),
  },
  {
    name: "Lowest",
    title: "Lowest low",
    category: "trend",
    formula: "lowest low of `period` bars, this one included",
    source: "TradingView's ta.lowest",
    parameters: [bars("period", 20, 1)],
    lines: { "": "" },
    define: (period: number) => ({ warmUp: period, ...band, create: () => createDonchian(period, "lower") }),
  },
];
