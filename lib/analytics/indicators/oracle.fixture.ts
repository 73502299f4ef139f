import type { Bar } from "@/lib/market/bar";

/**
 * A slow reference implementation of every indicator: whole arrays, every window and every recursion written out from
 * the first bar. It shares no code with the streams.
 */

const sma = (period: number) => (bars: readonly Bar[]) =>
  from(period - 1, bars, (i) => mean(latest(closes(bars), i, period)));
const ema = (period: number) => (bars: readonly Bar[]) =>
  from(period - 1, bars, (i) => emaAt(closes(bars), period, 0, i));

export function emaOfEma(numbers: readonly number[], period: number, depth: number): number[][] {
  const chain: (readonly number[])[] = [numbers];
  for (let n = 1; n <= depth; n += 1) {
    const start = (n - 1) * (period - 1);
    chain.push(numbers.map((_, i) => (i < start ? 0 : emaAt(at(chain, n - 1), period, start, i))));
  }
  return chain as number[][];
}

const dema = (period: number) => (bars: readonly Bar[]) => {
  const [, e1, e2] = emaOfEma(closes(bars), period, 2) as [number[], number[], number[]];
  return from(2 * period - 2, bars, (i) => 2 * at(e1, i) - at(e2, i));
};
const tema = (period: number) => (bars: readonly Bar[]) => {
  const [, e1, e2, e3] = emaOfEma(closes(bars), period, 3) as [number[], number[], number[], number[]];
  return from(3 * period - 3, bars, (i) => 3 * at(e1, i) - 3 * at(e2, i) + at(e3, i));
};

const macdAt = (bars: readonly Bar[], fast: number, slow: number, i: number) =>
  emaAt(closes(bars), fast, 0, i) - emaAt(closes(bars), slow, 0, i);

function macd(bars: readonly Bar[], fast: number, slow: number, signal: number, line: string): Series {
  const signalAt = (i: number) => mean(Array.from({ length: signal }, (_, n) => macdAt(bars, fast, slow, i - n)));
  if (line === "main") return from(slow - 1, bars, (i) => macdAt(bars, fast, slow, i));
  const first = slow + signal - 2;
  return from(
    first,
    bars,
    (i) => (line === "hist" ? macdAt(bars, fast, slow, i) : 0) + (line === "hist" ? -1 : 1) * signalAt(i),
  );
}

function directional(bars: readonly Bar[], line: "plus" | "minus" | "adx", period = 14): Series {
  const move = bars.map((bar, i) => {
    if (i === 0) return { up: 0, down: 0, range: 0 };
    const before = at(bars, i - 1);
    const [up, down] = [bar.high - before.high, before.low - bar.low];
    return {
      up: up > 0 && up > down ? up : 0,
      down: down > 0 && down > up ? down : 0,
      range: Math.max(bar.high - bar.low, Math.abs(bar.high - before.close), Math.abs(bar.low - before.close)),
    };
  });
  const average = (part: "up" | "down" | "range", i: number) =>
    wilderAt(
      move.map((values) => values[part]),
      period,
      period,
      i,
      "zero",
    );
  const lines = bars.map((_, i) => {
    const range = i < period ? 0 : average("range", i);
    const plus = range === 0 ? 0 : (100 * average("up", i)) / range;
    const minus = range === 0 ? 0 : (100 * average("down", i)) / range;
    return { plus, minus, dx: plus + minus === 0 ? 0 : (100 * Math.abs(plus - minus)) / (plus + minus) };
  });
  if (line !== "adx") return from(period + 1, bars, (i) => at(lines, i)[line]);
  return from(2 * period, bars, (i) =>
    wilderAt(
      lines.map(({ dx }) => dx),
      period,
      period,
      i,
      "zero",
    ),
  );
}

const alligator = (period: number, shift: number) => (bars: readonly Bar[]) => {
  const median = bars.map(({ high, low }) => (high + low) / 2);
  return from(period - 1 + shift, bars, (i) => wilderAt(median, period, 0, i - shift, "mean"));
};

function sar(bars: readonly Bar[], step = 0.02, maximum = 0.2): Series {
  const stops: number[] = [at(bars, 0).high, Math.max(at(bars, 0).high, at(bars, 1).high)];
  let [isLong, extreme, acceleration, reversedAt] = [false, at(bars, 1).low, step, 0];
  for (let i = 1; i < bars.length; i += 1) {
    const [bar, before] = [at(bars, i), at(bars, i - 1)];
    if (isLong ? at(stops, i) > bar.low : at(stops, i) < bar.high) {
      const run = bars.slice(reversedAt, i + 1);
      stops[i] = isLong ? Math.max(...highs(run)) : Math.min(...lows(run));
      isLong = !isLong;
      [extreme, acceleration, reversedAt] = [isLong ? bar.high : bar.low, step, i];
    } else if (isLong ? bar.high > extreme : bar.low < extreme) {
      extreme = isLong ? bar.high : bar.low;
      acceleration = Math.min(acceleration + step, maximum);
    }
    const next = at(stops, i) + acceleration * (extreme - at(stops, i));
    stops[i + 1] = isLong ? Math.min(next, bar.low, before.low) : Math.max(next, bar.high, before.high);
  }
  return from(1, bars, (i) => at(stops, i));
}

export function rsi(bars: readonly Bar[], period = 14): Series {
  const changes = bars.map((bar, i) => (i === 0 ? 0 : bar.close - at(bars, i - 1).close));
  return from(period, bars, (i) => {
    const up = wilderAt(
      changes.map((change) => Math.max(change, 0)),
      period,
      1,
      i,
      "mean",
    );
    const down = wilderAt(
      changes.map((change) => Math.max(-change, 0)),
      period,
      1,
      i,
      "mean",
    );
    return up + down === 0 ? 50 : (100 * up) / (up + down);
  });
}

function stochasticAt(bars: readonly Bar[], i: number, k = 5, slowing = 3): number {
  const slow = Array.from({ length: slowing }, (_, n) => i - n);
  const ranges = sum(slow.map((j) => highestAt(bars, j, k) - lowestAt(bars, j, k)));
  return ranges === 0 ? 100 : (100 * sum(slow.map((j) => at(bars, j).close - lowestAt(bars, j, k)))) / ranges;
}

const cci = (period: number) => (bars: readonly Bar[]) =>
  from(period - 1, bars, (i) => {
    const window = latest(typicals(bars), i, period);
    const middle = mean(window);
    const deviation = mean(window.map((value) => Math.abs(value - middle)));
    return deviation < 1e-10 ? 0 : (at(typicals(bars), i) - middle) / (0.015 * deviation);
  });

function williams(bars: readonly Bar[], period = 14): Series {
  let value = 0;
  return from(period - 1, bars, (i) => {
    const [high, low] = [highestAt(bars, i, period), lowestAt(bars, i, period)];
    if (high !== low) value = ((at(bars, i).close - high) / (high - low)) * 100;
    return value;
  });
}

function deMarker(bars: readonly Bar[], period = 14): Series {
  return from(period, bars, (i) => {
    const steps = Array.from({ length: period }, (_, n) => i - n);
    const rises = sum(steps.map((j) => Math.max(at(bars, j).high - at(bars, j - 1).high, 0)));
    const falls = sum(steps.map((j) => Math.max(at(bars, j - 1).low - at(bars, j).low, 0)));
    return rises + falls === 0 ? 0 : rises / (rises + falls);
  });
}

export function deviationAt(bars: readonly Bar[], i: number, period = 20): number {
  const window = latest(closes(bars), i, period);
  return Math.sqrt(mean(window.map((close) => (close - mean(window)) ** 2)));
}

const band =
  (deviations: number, period = 20) =>
  (bars: readonly Bar[]) =>
    from(period - 1, bars, (i) => mean(latest(closes(bars), i, period)) + deviations * deviationAt(bars, i, period));

const atr = (period: number) => (bars: readonly Bar[]) => {
  const ranges = bars.map(({ high, low }, i) => {
    const before = at(bars, Math.max(i - 1, 0)).close;
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  });
  return from(period, bars, (i) => mean(latest(ranges, i, period)));
};

function onBalance(bars: readonly Bar[]): Series {
  const directions = bars.map((bar, i) => (i === 0 ? 1 : Math.sign(bar.close - at(bars, i - 1).close)));
  return from(0, bars, (i) => sum(bars.slice(0, i + 1).map(({ volume }, j) => at(directions, j) * volume)));
}

function moneyFlow(bars: readonly Bar[], period = 14): Series {
  const typical = typicals(bars);
  return from(period, bars, (i) => {
    const steps = Array.from({ length: period }, (_, n) => i - n);
    const flow = (sign: number) =>
      sum(
        steps.map((j) =>
          Math.sign(at(typical, j) - at(typical, j - 1)) === sign ? at(typical, j) * at(bars, j).volume : 0,
        ),
      );
    return flow(-1) === 0 ? 100 : (100 * flow(1)) / (flow(1) + flow(-1));
  });
}

function accumulation(bars: readonly Bar[]): Series {
  const parts = bars.map(({ high, low, close, volume }) =>
    high === low ? 0 : (volume * (2 * close - high - low)) / (high - low),
  );
  return from(0, bars, (i) => sum(parts.slice(0, i + 1)));
}

export const ORACLES: Record<string, (bars: readonly Bar[]) => Series> = {
  SMA_10: sma(10),
  SMA_20: sma(20),
  SMA_50: sma(50),
  SMA_100: sma(100),
  SMA_200: sma(200),
  EMA_10: ema(10),
  EMA_20: ema(20),
  EMA_50: ema(50),
  MACD_main: (bars) => macd(bars, 12, 26, 9, "main"),
  MACD_signal: (bars) => macd(bars, 12, 26, 9, "signal"),
  MACD_hist: (bars) => macd(bars, 12, 26, 9, "hist"),
  ADX: (bars) => directional(bars, "adx"),
  ADX_plusDI: (bars) => directional(bars, "plus"),
  ADX_minusDI: (bars) => directional(bars, "minus"),
  Ichimoku_tenkan: (bars) => from(8, bars, (i) => middleAt(bars, i, 9)),
  Ichimoku_kijun: (bars) => from(25, bars, (i) => middleAt(bars, i, 26)),
  Ichimoku_senkou_a: (bars) => from(51, bars, (i) => (middleAt(bars, i - 26, 9) + middleAt(bars, i - 26, 26)) / 2),
  Alligator_jaw: alligator(13, 8),
  Alligator_teeth: alligator(8, 5),
  Alligator_lips: alligator(5, 3),
  SAR: (bars) => sar(bars),
  TEMA_20: tema(20),
  DEMA_20: dema(20),
  RSI_14: (bars) => rsi(bars),
  Stochastic_K: (bars) => from(6, bars, (i) => stochasticAt(bars, i)),
  Stochastic_D: (bars) => from(8, bars, (i) => mean([i - 2, i - 1, i].map((j) => stochasticAt(bars, j)))),
  CCI_14: cci(14),
  CCI_20: cci(20),
  WilliamsR_14: (bars) => williams(bars),
  Momentum_14: (bars) => from(14, bars, (i) => (at(bars, i).close / at(bars, i - 14).close) * 100),
  DeMarker_14: (bars) => deMarker(bars),
  BB_upper: band(2),
  BB_middle: band(0),
  BB_lower: band(-2),
  BB_width: (bars) => from(19, bars, (i) => 4 * deviationAt(bars, i)),
  ATR_14: atr(14),
  ATR_7: atr(7),
  StdDev_20: (bars) => from(19, bars, (i) => deviationAt(bars, i)),
  OBV: onBalance,
  MFI_14: (bars) => moneyFlow(bars),
  AD: accumulation,
  Volumes: (bars) => from(0, bars, (i) => at(bars, i).volume),
};

/** The members of a family, from its parameters and its line. */
export type FamilyOracle = (bars: readonly Bar[], line: string, ...values: number[]) => Series;

/** The families of the list. */
export const LISTED_FAMILIES: Record<string, FamilyOracle> = {
  SMA: (bars, _, period) => sma(period as number)(bars),
  EMA: (bars, _, period) => ema(period as number)(bars),
  SMMA: (bars, _, period = 0) => from(period - 1, bars, (i) => wilderAt(closes(bars), period, 0, i, "mean")),
  DEMA: (bars, _, period) => dema(period as number)(bars),
  TEMA: (bars, _, period) => tema(period as number)(bars),
  MACD: (bars, line, fast = 0, slow = 0, signal = 0) => macd(bars, fast, slow, signal, line),
  ADX: (bars, line, period) => directional(bars, line === "" ? "adx" : line === "plusDI" ? "plus" : "minus", period),
  Ichimoku: (bars, line, tenkan = 0, kijun = 0, senkou = 0) => {
    if (line === "tenkan") return from(tenkan - 1, bars, (i) => middleAt(bars, i, tenkan));
    if (line === "kijun") return from(kijun - 1, bars, (i) => middleAt(bars, i, kijun));
    if (line === "senkou_b") return from(senkou + kijun - 1, bars, (i) => middleAt(bars, i - kijun, senkou));
    const first = Math.max(tenkan, kijun) + kijun - 1;
    return from(first, bars, (i) => (middleAt(bars, i - kijun, tenkan) + middleAt(bars, i - kijun, kijun)) / 2);
  },
  Alligator: (bars, _, period, shift) => alligator(period as number, shift as number)(bars),
  SAR: (bars, _, step, maximum) => sar(bars, step, maximum),
  RSI: (bars, _, period) => rsi(bars, period),
  Stochastic: (bars, line, k = 0, d = 0, slowing = 0) => {
    const first = k + slowing - 2;
    if (line === "K") return from(first, bars, (i) => stochasticAt(bars, i, k, slowing));
    const lineAt = (i: number) => mean(Array.from({ length: d }, (_, n) => stochasticAt(bars, i - n, k, slowing)));
    return from(first + d - 1, bars, lineAt);
  },
  CCI: (bars, _, period) => cci(period as number)(bars),
  WilliamsR: (bars, _, period) => williams(bars, period),
  Momentum: (bars, _, period = 0) => from(period, bars, (i) => (at(bars, i).close / at(bars, i - period).close) * 100),
  DeMarker: (bars, _, period) => deMarker(bars, period),
  BBands: (bars, line, period = 0, deviations = 0) => {
    const upper = band(deviations, period)(bars);
    const middle = band(0, period)(bars);
    const lower = band(-deviations, period)(bars);
    const combine = (f: (i: number, up: number, mid: number, low: number) => number) =>
      from(period - 1, bars, (i) => f(i, upper[i] as number, middle[i] as number, lower[i] as number));
    // Twenty equal prices do not sum to twenty times the price.
    const isFlat = (i: number) => deviationAt(bars, i, period) < 1e-10;
    switch (line) {
      case "upper":
        return upper;
      case "middle":
        return middle;
      case "lower":
        return lower;
      case "width":
        return combine((_i, up, _mid, low) => up - low);
      case "bandwidth":
        return combine((_i, up, mid, low) => (100 * (up - low)) / mid);
      default:
        return combine((i, up, _mid, low) => (isFlat(i) ? 0.5 : (at(bars, i).close - low) / (up - low)));
    }
  },
  ATR: (bars, _, period) => atr(period as number)(bars),
  StdDev: (bars, _, period = 0) => from(period - 1, bars, (i) => deviationAt(bars, i, period)),
  MFI: (bars, _, period) => moneyFlow(bars, period),
};

/** The arithmetic of the reference implementation: sums over whole arrays, written out from the first bar. */

export type Series = (number | null)[];

export const at = <T>(series: readonly T[], i: number): T => series[i] as T;
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
export const mean = (values: readonly number[]): number => sum(values) / values.length;
export const latest = <T>(series: readonly T[], i: number, count: number): T[] => series.slice(i - count + 1, i + 1);

/** f(i) from bar `first` on. */
export const from = (first: number, bars: readonly unknown[], f: (i: number) => number): Series =>
  bars.map((_, i) => (i < first ? null : f(i)));

/** Exponential average at i of x[start…i], as a weighted sum: the first number has the remaining weight. */
export function emaAt(x: readonly number[], period: number, start: number, i: number): number {
  const k = 2 / (period + 1);
  let total = (1 - k) ** (i - start) * at(x, start);
  for (let j = start + 1; j <= i; j += 1) total += k * (1 - k) ** (i - j) * at(x, j);
  return total;
}

/** Wilder's average at i of x[start…i], seeded with the mean of its first `period`, or with zero. */
export function wilderAt(
  x: readonly number[],
  period: number,
  start: number,
  i: number,
  seed: "mean" | "zero",
): number {
  const keep = (period - 1) / period;
  const seedAt = seed === "mean" ? start + period - 1 : start - 1;
  let total = seed === "mean" ? keep ** (i - seedAt) * mean(x.slice(start, start + period)) : 0;
  for (let j = seedAt + 1; j <= i; j += 1) total += (keep ** (i - j) * at(x, j)) / period;
  return total;
}

export const closes = (bars: readonly Bar[]) => bars.map(({ close }) => close);
export const highs = (bars: readonly Bar[]) => bars.map(({ high }) => high);
export const lows = (bars: readonly Bar[]) => bars.map(({ low }) => low);
export const typicals = (bars: readonly Bar[]) => bars.map(({ high, low, close }) => (high + low + close) / 3);
export const highestAt = (bars: readonly Bar[], i: number, count: number) => Math.max(...latest(highs(bars), i, count));
export const lowestAt = (bars: readonly Bar[], i: number, count: number) => Math.min(...latest(lows(bars), i, count));
export const middleAt = (bars: readonly Bar[], i: number, count: number) =>
  (highestAt(bars, i, count) + lowestAt(bars, i, count)) / 2;
