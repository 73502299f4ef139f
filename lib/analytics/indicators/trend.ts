import {
  aroundLevel,
  closeAgainstLine,
  type IndicatorDefinition,
  pickLine,
  type Stream,
} from "@/lib/analytics/indicators/definition";
import {
  bars,
  factor,
  fadeExponential,
  fadeWilder,
  type IndicatorFamily,
  LONGEST_WILDER,
} from "@/lib/analytics/indicators/family";
import {
  DelayedLine,
  ExponentialAverage,
  SimpleAverage,
  WilderAverage,
  Window,
} from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";

const PERIOD = 14;

/**
 * Wilder's directional movement ("ADX Wilder", ADXW.mq5). As in the sample, every average starts from zero after the
 * first `period` bars, while Wilder starts from a mean. ADX is therefore low at first: measured on hours of gold, a third
 * lower than with Wilder's seed at bar 29, 0.3 % off at bar 120 and 4e-9 at bar 300.
 */
class DirectionalMovement {
  count = 0;
  previousHigh = 0;
  previousLow = 0;
  previousClose = 0;
  up = 0;
  down = 0;
  range = 0;
  index = 0;
  plusDi = 0;
  minusDi = 0;
  readonly #period: number;

  constructor(period = PERIOD) {
    this.#period = period;
  }

  push(bar: Bar): void {
    if (this.count >= this.#period) this.#advance(bar);
    this.count += 1;
    this.previousHigh = bar.high;
    this.previousLow = bar.low;
    this.previousClose = bar.close;
  }

  #advance(bar: Bar): void {
    const up = Math.max(bar.high - this.previousHigh, 0);
    const down = Math.max(this.previousLow - bar.low, 0);
    const trueRange = Math.max(bar.high, this.previousClose) - Math.min(bar.low, this.previousClose);
    this.up += ((up > down ? up : 0) - this.up) / this.#period;
    this.down += ((down > up ? down : 0) - this.down) / this.#period;
    this.range += (trueRange - this.range) / this.#period;
    this.plusDi = toPercent(this.up, this.range);
    this.minusDi = toPercent(this.down, this.range);
    const sum = this.plusDi + this.minusDi;
    const newest = sum === 0 ? 0 : 100 * (Math.abs(this.plusDi - this.minusDi) / sum);
    this.index += (newest - this.index) / this.#period;
  }

  get plus(): number | null {
    return this.count > this.#period + 1 ? this.plusDi : null;
  }

  get minus(): number | null {
    return this.count > this.#period + 1 ? this.minusDi : null;
  }

  get adx(): number | null {
    return this.count > 2 * this.#period ? this.index : null;
  }
}

/** Part of a whole in per cent; 0 if the whole is 0, and at most 100 despite rounding. */
function toPercent(part: number, whole: number): number {
  return whole === 0 ? 0 : 100 * Math.min(part / whole, 1);
}

const sharedDirection = {
  aliases: [],
  category: "trend",
  range: [0, 100],
  decimals: "oscillator",
  shape: "B",
  isEndless: true,
} satisfies Partial<IndicatorDefinition>;

export const adx: readonly IndicatorDefinition[] = [
  {
    ...sharedDirection,
    name: "ADX",
    description: "Average directional index (Wilder, 14): how strong the trend is, whichever its direction",
    formula: "Wilder's average of 100 × |+DI − −DI| / (+DI + −DI), started from 0",
    warmUp: 29,
    create: () => pickLine(new DirectionalMovement(), (lines) => lines.adx),
  },
  {
    ...sharedDirection,
    name: "ADX_plusDI",
    description: "Positive directional indicator (Wilder, 14): the part of the movement that went up",
    formula: "100 × average of max(high − previous high, 0), where larger than the move down, / average true range",
    warmUp: 16,
    create: () => pickLine(new DirectionalMovement(), (lines) => lines.plus),
  },
  {
    ...sharedDirection,
    name: "ADX_minusDI",
    description: "Negative directional indicator (Wilder, 14): the part of the movement that went down",
    formula: "100 × average of max(previous low − low, 0), where larger than the move up, / average true range",
    warmUp: 16,
    create: () => pickLine(new DirectionalMovement(), (lines) => lines.minus),
  },
];

const STEP = 0.02;
const MAXIMUM = 0.2;

/**
 * Parabolic stop and reverse (ParabolicSAR.mq5). It always starts short; a price equal to the stop does not reverse it;
 * on a reversal the stop becomes the extreme of all bars since the last reversal, both ends included. Values are those
 * of closed bars: for a forming bar MetaTrader shows the projected stop even if the price has already crossed it.
 */
class ParabolicSar implements Stream {
  count = 0;
  isLong = false;
  /** The stop for the next bar. */
  stop = 0;
  /** The farthest price of the current run, and how fast the stop follows it. */
  extreme = 0;
  acceleration: number;
  /** Highest high and lowest low since the last reversal. */
  highest = -Infinity;
  lowest = Infinity;
  previousHigh = 0;
  previousLow = 0;
  readonly #step: number;
  readonly #maximum: number;

  constructor(step = STEP, maximum = MAXIMUM) {
    this.#step = step;
    this.#maximum = maximum;
    this.acceleration = step;
  }

  push(bar: Bar): number | null {
    this.count += 1;
    this.highest = Math.max(this.highest, bar.high);
    this.lowest = Math.min(this.lowest, bar.low);
    const value = this.count === 1 ? null : this.#advance(bar);
    this.previousHigh = bar.high;
    this.previousLow = bar.low;
    return value;
  }

  #advance(bar: Bar): number {
    if (this.count === 2) {
      this.stop = this.highest;
      this.extreme = bar.low;
    }
    if (this.isLong ? this.stop > bar.low : this.stop < bar.high) this.#reverse(bar);
    else this.#follow(bar);
    const stop = this.stop;
    this.#project(bar);
    return stop;
  }

  #reverse(bar: Bar): void {
    this.stop = this.isLong ? this.highest : this.lowest;
    this.isLong = !this.isLong;
    this.extreme = this.isLong ? bar.high : bar.low;
    this.acceleration = this.#step;
    this.highest = bar.high;
    this.lowest = bar.low;
  }

  #follow(bar: Bar): void {
    const reached = this.isLong ? bar.high : bar.low;
    if (this.isLong ? reached <= this.extreme : reached >= this.extreme) return;
    this.extreme = reached;
    this.acceleration = Math.min(this.acceleration + this.#step, this.#maximum);
  }

  #project(bar: Bar): void {
    const next = this.stop + this.acceleration * (this.extreme - this.stop);
    this.stop = this.isLong ? Math.min(next, bar.low, this.previousLow) : Math.max(next, bar.high, this.previousHigh);
  }
}

export const parabolicSar: IndicatorDefinition = {
  name: "SAR",
  aliases: ["Parabolic_SAR"],
  category: "trend",
  description: "Parabolic stop and reverse, step 0.02, maximum 0.2: below the bar in a rise, above it in a fall",
  formula: "stop + acceleration × (extreme − stop), kept outside the latest two bars; reverses when a bar crosses it",
  warmUp: 2,
  range: null,
  decimals: "price",
  shape: "A",
  signal: closeAgainstLine,
  isEndless: true,
  create: () => new ParabolicSar(),
};

const TENKAN = 9;
const KIJUN = 26;
const SENKOU = 52;

/** The middle between the highest high and the lowest low of the latest `period` bars. */
function createRangeMiddle(period: number): (bar: Bar) => number | null {
  const highs = new Window(period);
  const lows = new Window(period);
  return (bar) => {
    highs.push(bar.high);
    return lows.push(bar.low) ? (highs.highest() + lows.lowest()) / 2 : null;
  };
}

/**
 * Ichimoku Kinko Hyo (Ichimoku.mq5). The senkou spans are drawn `kijun` bars ahead: their values at a bar, where the chart
 * shows the cloud, were computed that many bars earlier. The sample hides each line a little longer than its window needs.
 */
class Ichimoku {
  readonly #tenkan: ReturnType<typeof createRangeMiddle>;
  readonly #kijun: ReturnType<typeof createRangeMiddle>;
  readonly #senkou: ReturnType<typeof createRangeMiddle>;
  readonly #ahead: Window;
  readonly #senkouAhead: Window;
  tenkan: number | null = null;
  kijun: number | null = null;
  senkouA: number | null = null;
  senkouB: number | null = null;

  constructor(tenkan = TENKAN, kijun = KIJUN, senkou = SENKOU) {
    this.#tenkan = createRangeMiddle(tenkan);
    this.#kijun = createRangeMiddle(kijun);
    this.#senkou = createRangeMiddle(senkou);
    this.#ahead = new Window(kijun + 1);
    this.#senkouAhead = new Window(kijun + 1);
  }

  push(bar: Bar): void {
    this.tenkan = this.#tenkan(bar);
    this.kijun = this.#kijun(bar);
    const senkou = this.#senkou(bar);
    if (senkou !== null && this.#senkouAhead.push(senkou)) this.senkouB = this.#senkouAhead.oldest();
    if (this.tenkan === null || this.kijun === null) return;
    if (this.#ahead.push((this.tenkan + this.kijun) / 2)) this.senkouA = this.#ahead.oldest();
  }
}

const sharedCloud = {
  aliases: [],
  category: "trend",
  range: null,
  decimals: "price",
  shape: "B",
  signal: closeAgainstLine,
} satisfies Partial<IndicatorDefinition>;

export const ichimoku: readonly IndicatorDefinition[] = [
  {
    ...sharedCloud,
    name: "Ichimoku_tenkan",
    description: "Ichimoku 9/26/52, Tenkan-sen: middle of the range of 9 bars",
    formula: "(highest high + lowest low) / 2 of the latest 9 bars",
    warmUp: TENKAN,
    create: () => pickLine(new Ichimoku(), (lines) => lines.tenkan),
  },
  {
    ...sharedCloud,
    name: "Ichimoku_kijun",
    description: "Ichimoku 9/26/52, Kijun-sen: middle of the range of 26 bars",
    formula: "(highest high + lowest low) / 2 of the latest 26 bars",
    warmUp: KIJUN,
    create: () => pickLine(new Ichimoku(), (lines) => lines.kijun),
  },
  {
    ...sharedCloud,
    name: "Ichimoku_senkou_a",
    description: "Ichimoku 9/26/52, Senkou span A as it stands over this bar: drawn 26 bars ahead",
    formula: "(tenkan + kijun) / 2 of 26 bars before",
    warmUp: 2 * KIJUN,
    create: () => pickLine(new Ichimoku(), (lines) => lines.senkouA),
  },
];

/**
 * Bill Williams' Alligator (Alligator.mq5): three Wilder averages of the median price (high + low) / 2, drawn ahead.
 * The value at a bar is the one that the chart shows there, computed `shift` bars earlier.
 */
export const alligator: readonly IndicatorDefinition[] = [
  defineLine("Alligator_jaw", "jaw, the slowest line", 13, 8),
  defineLine("Alligator_teeth", "teeth, the middle line", 8, 5),
  defineLine("Alligator_lips", "lips, the fastest line", 5, 3),
];

class AlligatorLine implements Stream {
  readonly line: DelayedLine;

  constructor(period: number, shift: number) {
    this.line = new DelayedLine(new WilderAverage(period), shift);
  }

  push(bar: Bar): number | null {
    return this.line.push((bar.high + bar.low) / 2);
  }
}

function defineLine(name: string, part: string, period: number, shift: number): IndicatorDefinition {
  return {
    name,
    aliases: [],
    category: "trend",
    description: `Alligator, ${part}: ${period} bars, drawn ${shift} bars ahead`,
    formula: `Wilder's average of (high + low) / 2 over ${period} bars, seeded with a plain mean, of ${shift} bars before`,
    warmUp: period + shift,
    range: null,
    decimals: "price",
    shape: "B",
    signal: closeAgainstLine,
    isEndless: true,
    create: () => new AlligatorLine(period, shift),
  };
}

/**
 * Moving average convergence/divergence of closes (MACD.mq5): the signal line is a simple average, while most
 * other implementations use an exponential one. The sample draws from the first bar on; here the main line begins where
 * the slow average is shown, and the signal line where it has all its values of it. The histogram is main − signal
 * (MetaQuotes' OsMA).
 */
class Macd {
  readonly fast: ExponentialAverage;
  readonly slow: ExponentialAverage;
  readonly average: SimpleAverage;
  main: number | null = null;
  signal: number | null = null;

  constructor(fast = 12, slow = 26, signal = 9) {
    this.fast = new ExponentialAverage(fast);
    this.slow = new ExponentialAverage(slow);
    this.average = new SimpleAverage(signal);
  }

  push(bar: Bar): void {
    const fast = this.fast.push(bar.close);
    const slow = this.slow.push(bar.close);
    if (fast === null || slow === null) return;
    this.main = fast - slow;
    this.signal = this.average.push(this.main);
  }

  get histogram(): number | null {
    return this.main === null || this.signal === null ? null : this.main - this.signal;
  }
}

const sharedMacd = {
  aliases: [],
  category: "trend",
  range: null,
  decimals: "difference",
  shape: "B",
  isEndless: true,
  signal: aroundLevel(0),
} satisfies Partial<IndicatorDefinition>;

export const macd: readonly IndicatorDefinition[] = [
  {
    ...sharedMacd,
    name: "MACD_main",
    description: "MACD 12/26/9, main line: distance between a fast and a slow exponential average",
    formula: "EMA_12 − EMA_26 of closes, both seeded with the first close",
    warmUp: 26,
    create: () => pickLine(new Macd(), (lines) => lines.main),
  },
  {
    ...sharedMacd,
    name: "MACD_signal",
    description: "MACD 12/26/9, signal line: average of the main line",
    formula: "simple mean of the latest 9 values of MACD_main",
    warmUp: 34,
    create: () => pickLine(new Macd(), (lines) => lines.signal),
  },
  {
    ...sharedMacd,
    name: "MACD_hist",
    description: "MACD 12/26/9, histogram: main line against signal line",
    formula: "MACD_main − MACD_signal",
    warmUp: 34,
    create: () => pickLine(new Macd(), (lines) => lines.histogram),
  },
];

const sharedFamily = { range: null } as const;

const isBelow = (fast: number, slow: number) => fast < slow;

/** The indicators of trend with any period. */
export const trendFamilies: readonly IndicatorFamily[] = [
  {
    name: "MACD",
    title: "Moving average convergence/divergence",
    category: "trend",
    formula:
      "main: EMA of `fast` − EMA of `slow` closes; signal: simple mean of `signal` values of it; hist: main − signal",
    source: "MetaTrader 5 (MACD.mq5), whose signal line is a simple average",
    parameters: [bars("fast", 12, 1), bars("slow", 26), bars("signal", 9, 1, 100)],
    lines: { main: "main line", signal: "signal line", hist: "histogram" },
    rule: { text: "fast must be below slow", holds: isBelow },
    define: (fast: number, slow: number, signal: number, line: string) => ({
      ...sharedFamily,
      warmUp: slow + (line === "main" ? 0 : signal - 1),
      lookback: fadeExponential(slow) + signal,
      decimals: "difference",
      signal: aroundLevel(0),
      create: () =>
        pickLine(new Macd(fast, slow, signal), (lines) =>
          line === "main" ? lines.main : line === "signal" ? lines.signal : lines.histogram,
        ),
    }),
  },
  {
    name: "ADX",
    title: "Directional movement (Wilder)",
    category: "trend",
    formula:
      "Wilder's average of 100 × |+DI − −DI| / (+DI + −DI); DI: 100 × average of the larger move / average true range; all averages start from 0",
    source: "MetaTrader 5 (ADXW.mq5)",
    parameters: [bars("period", 14, 2, LONGEST_WILDER / 2)],
    lines: { "": "average index", plusDI: "positive indicator", minusDI: "negative indicator" },
    define: (period: number, line: string) => ({
      ...sharedFamily,
      warmUp: line === "" ? 2 * period + 1 : period + 2,
      lookback: 2 * period + fadeWilder(period, period),
      range: [0, 100],
      decimals: "oscillator",
      create: () =>
        pickLine(new DirectionalMovement(period), (lines) =>
          line === "" ? lines.adx : line === "plusDI" ? lines.plus : lines.minus,
        ),
    }),
  },
  {
    name: "Ichimoku",
    title: "Ichimoku Kinko Hyo",
    category: "trend",
    formula:
      "tenkan, kijun: (highest high + lowest low) / 2 of `tenkan`, `kijun` bars; senkou_a: their mean, senkou_b: the middle of `senkou` bars, " +
      "both of `kijun` bars before, as the chart shows them at this bar",
    source: "MetaTrader 5 (Ichimoku.mq5). The chikou span is the close itself, drawn `kijun` bars back",
    parameters: [bars("tenkan", 9, 1), bars("kijun", 26, 1), bars("senkou", 52, 1)],
    lines: {
      tenkan: "Tenkan-sen",
      kijun: "Kijun-sen",
      senkou_a: "Senkou span A over this bar",
      senkou_b: "Senkou span B over this bar",
    },
    define: (tenkan: number, kijun: number, senkou: number, line: string) => ({
      ...sharedFamily,
      warmUp: { tenkan, kijun, senkou_a: Math.max(tenkan, kijun) + kijun }[line] ?? senkou + kijun,
      decimals: "price",
      signal: closeAgainstLine,
      create: () => pickLine(new Ichimoku(tenkan, kijun, senkou), (lines) => readCloud(lines, line)),
    }),
  },
  {
    name: "Alligator",
    title: "Line of the Alligator",
    category: "trend",
    formula:
      "Wilder's average of (high + low) / 2 over `period` bars, seeded with a plain mean, of `shift` bars before, as the chart shows it at this bar",
    source: "MetaTrader 5 (Alligator.mq5): jaw 13/8, teeth 8/5, lips 5/3",
    parameters: [bars("period", 13, 2, LONGEST_WILDER), bars("shift", 8, 0, 100)],
    lines: { "": "" },
    define: (period: number, shift: number) => ({
      ...sharedFamily,
      warmUp: period + shift,
      lookback: period + shift + fadeWilder(period),
      decimals: "price",
      signal: closeAgainstLine,
      create: () => new AlligatorLine(period, shift),
    }),
  },
  {
    name: "SAR",
    title: "Parabolic stop and reverse",
    category: "trend",
    formula: parabolicSar.formula,
    source: "MetaTrader 5 (ParabolicSAR.mq5)",
    parameters: [factor("step", 0.02, 0.001, 1, 3), factor("maximum", 0.2, 0.01, 1, 3)],
    lines: { "": "" },
    rule: { text: "step must not be above maximum", holds: (step: number, maximum: number) => step <= maximum },
    define: (step: number, maximum: number) => ({
      ...sharedFamily,
      warmUp: 2,
      // Two series have the same stop from their first reversal in common on.
      lookback: 600,
      decimals: "price",
      signal: closeAgainstLine,
      create: () => new ParabolicSar(step, maximum),
    }),
  },
];

function readCloud(lines: Ichimoku, line: string): number | null {
  switch (line) {
    case "tenkan":
      return lines.tenkan;
    case "kijun":
      return lines.kijun;
    case "senkou_a":
      return lines.senkouA;
    default:
      return lines.senkouB;
  }
}
