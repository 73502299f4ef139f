import {
  at,
  closes,
  deviationAt,
  emaAt,
  emaOfEma,
  type FamilyOracle,
  from,
  highestAt,
  highs,
  latest,
  LISTED_FAMILIES,
  lowestAt,
  lows,
  mean,
  middleAt,
  rsi,
  type Series,
  sum,
  typicals,
  wilderAt,
} from "@/lib/analytics/indicators/oracle.fixture";
import type { Bar } from "@/lib/market/bar";

/**
 * A slow reference implementation of the families beyond the list, straight from their definitions, over whole arrays. It
 * shares no code with the streams.
 */

/** The numbers first, first + 1, … last. */
const span = (first: number, last: number) =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => first + n);

const medians = (bars: readonly Bar[]) => bars.map(({ high, low }) => (high + low) / 2);
/** From the second bar on. */
const trueRanges = (bars: readonly Bar[]) =>
  bars.map(({ high, low }, i) => {
    const before = at(bars, Math.max(i - 1, 0)).close;
    return Math.max(high - low, Math.abs(high - before), Math.abs(low - before));
  });
const wilderRangeAt = (bars: readonly Bar[], period: number, i: number) =>
  wilderAt(trueRanges(bars), period, 1, i, "mean");
const smaAt = (x: readonly number[], period: number, i: number) => mean(latest(x, i, period));
const wmaAt = (x: readonly number[], period: number, i: number) =>
  sum(span(1, period).map((weight) => weight * at(x, i - period + weight))) / sum(span(1, period));
const rocAt = (bars: readonly Bar[], period: number, i: number) =>
  (at(bars, i).close / at(bars, i - period).close - 1) * 100;
const changeAt = (bars: readonly Bar[], i: number) => at(bars, i).close - at(bars, i - 1).close;
/** Numbers that begin later: zero before. */
const lateFrom = (first: number, bars: readonly Bar[], f: (i: number) => number) =>
  bars.map((_, i) => (i < first ? 0 : f(i)));

/** A main line that begins at `first`, a signal line that averages it, and their difference. */
function pairOf(
  bars: readonly Bar[],
  { first, signal, line }: { first: number; signal: number; line: string },
  mainAt: (i: number) => number,
  averageAt: (main: readonly number[], i: number) => number,
): Series {
  const main = lateFrom(first, bars, mainAt);
  if (line === "main") return from(first, bars, (i) => at(main, i));
  return from(
    first + signal - 1,
    bars,
    (i) => (line === "hist" ? at(main, i) : 0) + (line === "hist" ? -1 : 1) * averageAt(main, i),
  );
}

function hull(bars: readonly Bar[], period: number): Series {
  const [half, root] = [Math.max(1, Math.floor(period / 2)), Math.floor(Math.sqrt(period))];
  const x = closes(bars);
  const raw = lateFrom(period - 1, bars, (i) => 2 * wmaAt(x, half, i) - wmaAt(x, period, i));
  return from(period + root - 2, bars, (i) => wmaAt(raw, root, i));
}

function kaufman(bars: readonly Bar[], period: number, fast: number, slow: number): Series {
  const x = closes(bars);
  const averages = [...x];
  for (const i of span(period, bars.length - 1)) {
    const path = sum(span(i - period + 1, i).map((j) => Math.abs(changeAt(bars, j))));
    const efficiency = path === 0 ? 0 : Math.abs(at(x, i) - at(x, i - period)) / path;
    const weight = (efficiency * (2 / (fast + 1)) + (1 - efficiency) * (2 / (slow + 1))) ** 2;
    averages[i] = (1 - weight) * at(averages, i - 1) + weight * at(x, i);
  }
  return from(period, bars, (i) => at(averages, i));
}

function arnaudLegoux(bars: readonly Bar[], period: number, offset: number, sigma: number): Series {
  const weights = span(0, period - 1).map((i) =>
    Math.exp(-0.5 * (((i - offset * (period - 1)) * sigma) / period) ** 2),
  );
  return from(
    period - 1,
    bars,
    (i) => sum(latest(closes(bars), i, period).map((close, j) => close * at(weights, j))) / sum(weights),
  );
}

function regression(bars: readonly Bar[], period: number, line: string): Series {
  return from(period - 1, bars, (i) => {
    const y = latest(closes(bars), i, period);
    const x = span(0, period - 1);
    const [mx, my] = [mean(x), mean(y)];
    const cov = sum(x.map((each, j) => (each - mx) * (at(y, j) - my)));
    const [varX, varY] = [sum(x.map((each) => (each - mx) ** 2)), sum(y.map((each) => (each - my) ** 2))];
    if (line === "slope") return cov / varX;
    if (line === "") return my + (cov / varX) * (period - 1 - mx);
    return Math.sqrt(varY / period) < 1e-10 ? 0 : cov ** 2 / (varX * varY);
  });
}

function supertrend(bars: readonly Bar[], period: number, multiplier: number, line: string): Series {
  const uppers: number[] = [];
  const lowers: number[] = [];
  const rises: boolean[] = [];
  for (const i of span(period, bars.length - 1)) {
    const size = multiplier * wilderRangeAt(bars, period, i);
    const before = at(bars, i - 1).close;
    uppers[i] = at(medians(bars), i) + size;
    lowers[i] = at(medians(bars), i) - size;
    if (i === period) {
      rises[i] = false;
      continue;
    }
    if (!(at(uppers, i) < at(uppers, i - 1)) && !(before > at(uppers, i - 1))) uppers[i] = at(uppers, i - 1);
    if (!(at(lowers, i) > at(lowers, i - 1)) && !(before < at(lowers, i - 1))) lowers[i] = at(lowers, i - 1);
    rises[i] = at(rises, i - 1) ? !(at(bars, i).close < at(lowers, i)) : at(bars, i).close > at(uppers, i);
  }
  return from(period, bars, (i) => {
    if (line === "direction") return at(rises, i) ? 1 : -1;
    return at(rises, i) ? at(lowers, i) : at(uppers, i);
  });
}

function trueStrength(bars: readonly Bar[], long: number, short: number, signal: number, line: string): Series {
  const chained = (x: readonly number[]) => {
    const once = x.map((_, i) => (i < 1 ? 0 : emaAt(x, long, 1, i)));
    return x.map((_, i) => (i < long ? 0 : emaAt(once, short, long, i)));
  };
  const changes = lateFrom(1, bars, (i) => changeAt(bars, i));
  const [moves, sizes] = [chained(changes), chained(changes.map(Math.abs))];
  const first = long + short - 1;
  const mainAt = (i: number) => (at(sizes, i) === 0 ? 0 : (100 * at(moves, i)) / at(sizes, i));
  return pairOf(bars, { first, signal, line }, mainAt, (main, i) => emaAt(main, signal, first, i));
}

function stochasticRsi(bars: readonly Bar[], line: string, [n = 0, stoch = 0, k = 0, d = 0]: number[]): Series {
  const values = rsi(bars, n).map((value) => value ?? 0);
  const first = n + stoch - 1;
  const raw = lateFrom(first, bars, (i) => {
    const window = latest(values, i, stoch);
    const [low, high] = [Math.min(...window), Math.max(...window)];
    return high - low < 1e-9 ? 50 : (100 * (at(values, i) - low)) / (high - low);
  });
  const smooth = lateFrom(first + k - 1, bars, (i) => smaAt(raw, k, i));
  if (line === "K") return from(first + k - 1, bars, (i) => at(smooth, i));
  return from(first + k + d - 2, bars, (i) => smaAt(smooth, d, i));
}

function ultimate(bars: readonly Bar[], periods: number[]): Series {
  const part = (i: number, period: number) => {
    const steps = span(i - period + 1, i);
    const ranges = sum(steps.map((j) => at(trueRanges(bars), j)));
    const pressure = sum(steps.map((j) => at(bars, j).close - Math.min(at(bars, j).low, at(bars, j - 1).close)));
    return ranges === 0 ? 0.5 : pressure / ranges;
  };
  const [short = 0, middle = 0, long = 0] = periods;
  return from(long, bars, (i) => (400 * part(i, short) + 200 * part(i, middle) + 100 * part(i, long)) / 7);
}

function fisher(bars: readonly Bar[], period: number, line: string): Series {
  const x = medians(bars);
  const values: number[] = [];
  let position = 0;
  for (const i of span(period - 1, bars.length - 1)) {
    const window = latest(x, i, period);
    const [low, high] = [Math.min(...window), Math.max(...window)];
    const place = high === low ? 0 : (at(x, i) - low) / (high - low) - 0.5;
    position = 0.66 * place + 0.67 * position;
    if (position > 0.99) position = 0.999;
    if (position < -0.99) position = -0.999;
    values[i] = Math.atanh(position) + 0.5 * (values[i - 1] ?? 0);
  }
  return line === "main" ? from(period - 1, bars, (i) => at(values, i)) : from(period, bars, (i) => at(values, i - 1));
}

function knowSure(bars: readonly Bar[], signal: number, line: string): Series {
  const smooth = (change: number, period: number, i: number) =>
    mean(span(i - period + 1, i).map((j) => rocAt(bars, change, j)));
  const mainAt = (i: number) =>
    smooth(10, 10, i) + 2 * smooth(15, 10, i) + 3 * smooth(20, 10, i) + 4 * smooth(30, 15, i);
  return pairOf(bars, { first: 44, signal, line }, mainAt, (main, i) => smaAt(main, signal, i));
}

function aroon(bars: readonly Bar[], period: number, line: string): Series {
  const since = (x: readonly number[], i: number, extreme: number) =>
    span(0, period).find((back) => at(x, i - back) === extreme) as number;
  return from(period, bars, (i) => {
    const up = ((period - since(highs(bars), i, highestAt(bars, i, period + 1))) / period) * 100;
    const down = ((period - since(lows(bars), i, lowestAt(bars, i, period + 1))) / period) * 100;
    return line === "up" ? up : line === "down" ? down : up - down;
  });
}

function massIndex(bars: readonly Bar[], smoothing: number, period: number): Series {
  const heights = bars.map(({ high, low }) => high - low);
  const [, once, twice] = emaOfEma(heights, smoothing, 2) as [number[], number[], number[]];
  const first = 2 * smoothing - 2;
  return from(first + period - 1, bars, (i) =>
    sum(span(i - period + 1, i).map((j) => (at(twice, j) === 0 ? 1 : at(once, j) / at(twice, j)))),
  );
}

const flowAt = ({ high, low, close, volume }: Bar) =>
  high === low ? 0 : (volume * (2 * close - high - low)) / (high - low);

function heikinAshi(bars: readonly Bar[], line: string): Series {
  const averages = bars.map(({ open, high, low, close }) => (open + high + low + close) / 4);
  const opens: number[] = [];
  bars.forEach(({ open, close }, i) => {
    opens[i] = i === 0 ? (open + close) / 2 : (at(opens, i - 1) + at(averages, i - 1)) / 2;
  });
  return from(0, bars, (i) => {
    const all = [at(opens, i), at(averages, i)];
    if (line === "open") return at(opens, i);
    if (line === "close") return at(averages, i);
    return line === "high" ? Math.max(at(bars, i).high, ...all) : Math.min(at(bars, i).low, ...all);
  });
}

/** From turn to turn: looks for the first bar that is far enough from the extreme since the turn. */
function zigZag(bars: readonly Bar[], percent: number, line: string): Series {
  const series: Series = bars.map(() => null);
  let [begin, direction] = [0, 0];
  for (let i = 0; i < bars.length; i += 1) {
    const run = bars.slice(begin, i + 1);
    const [top, bottom] = [Math.max(...highs(run)), Math.min(...lows(run))];
    const isNewTop = run.length > 1 && at(bars, i).high > Math.max(...highs(run.slice(0, -1)));
    const isNewBottom = run.length > 1 && at(bars, i).low < Math.min(...lows(run.slice(0, -1)));
    const rises =
      at(bars, i).high >= bottom * (1 + percent / 100) && direction !== 1 && !(direction === -1 && isNewBottom);
    const falls = at(bars, i).low <= top * (1 - percent / 100) && direction !== -1 && !(direction === 1 && isNewTop);
    if (rises || falls) {
      direction = rises ? 1 : -1;
      const turn = rises ? bottom : top;
      begin = i;
      series[i] = line === "direction" ? direction : turn;
    } else series[i] = line === "direction" && i > 0 && series[i - 1] !== null ? direction : (series[i - 1] ?? null);
  }
  return series;
}

const NEW_YORK_CLOCK = new Intl.DateTimeFormat("en-US", {
  timeZone: "America/New_York",
  hourCycle: "h23",
  year: "numeric",
  month: "numeric",
  day: "numeric",
  hour: "numeric",
});

/** The trading day of a moment: days since 1970, of the day that begins at 17:00 in New York on the day before. */
function tradingDay(timeMs: number): number {
  const parts = new Map(NEW_YORK_CLOCK.formatToParts(timeMs).map(({ type, value }) => [type, Number(value)]));
  const [year, month, day, hour] = ["year", "month", "day", "hour"].map(
    (type) => parts.get(type as "year") as number,
  ) as [number, number, number, number];
  return Math.floor(Date.UTC(year, month - 1, day, hour + 7) / 86_400_000);
}

/** What tells trading days, weeks and months apart. 1970-01-01 was a Thursday. */
const SPAN_KEYS: Record<string, (timeMs: number) => number> = {
  day: tradingDay,
  week: (timeMs) => Math.floor((tradingDay(timeMs) + 3) / 7),
  month: (timeMs) => {
    const date = new Date(tradingDay(timeMs) * 86_400_000);
    return 12 * date.getUTCFullYear() + date.getUTCMonth();
  },
};

const SESSION_OPENINGS: Record<string, [zone: string, hour: number]> = {
  sydney: ["Australia/Sydney", 9],
  tokyo: ["Asia/Tokyo", 9],
  london: ["Europe/London", 8],
  new_york: ["America/New_York", 8],
};

/** The number of openings of a session until a moment, found hour by hour. */
function countOpenings(bars: readonly Bar[], session: string): number[] {
  const [zone, hour] = SESSION_OPENINGS[session] as [string, number];
  const clock = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    hourCycle: "h23",
    weekday: "short",
    hour: "numeric",
  });
  let count = 0;
  return bars.map(({ timeMs }) => {
    const parts = clock.formatToParts(timeMs);
    const read = (type: string) => parts.find((part) => part.type === type)?.value ?? "";
    if (Number(read("hour")) === hour && !["Sat", "Sun"].includes(read("weekday"))) count += 1;
    return count;
  });
}

function vwap(bars: readonly Bar[], anchor: string): Series {
  const key = SPAN_KEYS[anchor];
  const keys = key === undefined ? countOpenings(bars, anchor) : bars.map(({ timeMs }) => key(timeMs));
  return from(0, bars, (i) => {
    const since = span(0, i).filter((j) => at(keys, j) === at(keys, i));
    const volume = sum(since.map((j) => at(bars, j).volume));
    if (volume === 0) return mean(since.map((j) => at(typicals(bars), j)));
    return sum(since.map((j) => at(typicals(bars), j) * at(bars, j).volume)) / volume;
  });
}

function pivot(bars: readonly Bar[], kind: string, unit: string, line: string): Series {
  const keys = bars.map(({ timeMs }) => (SPAN_KEYS[unit] as (timeMs: number) => number)(timeMs));
  return bars.map((_, i) => {
    const before = span(0, i).filter((j) => at(keys, j) < at(keys, i));
    const last = before.filter((j) => at(keys, j) === at(keys, before.at(-1) ?? 0)).map((j) => at(bars, j));
    if (last.length === 0) return null;
    const [h, l] = [Math.max(...highs(last)), Math.min(...lows(last))];
    const [o, c] = [at(last, 0).open, (last.at(-1) as Bar).close];
    const x = c < o ? h + 2 * l + c : c > o ? 2 * h + l + c : h + l + 2 * c;
    const p = kind === "woodie" ? (h + l + 2 * c) / 4 : kind === "demark" ? x / 4 : (h + l + c) / 3;
    const sign = line.startsWith("R") ? 1 : -1;
    const n = Number(line.slice(1));
    if (line === "P") return p;
    if (kind === "demark") return sign === 1 ? x / 2 - l : x / 2 - h;
    if (kind === "fibonacci") return p + sign * ([0.382, 0.618, 1][n - 1] as number) * (h - l);
    if (kind === "camarilla") return c + (sign * 1.1 * (h - l)) / ([12, 6, 4, 2][n - 1] as number);
    if (n === 1) return 2 * p - (sign === 1 ? l : h);
    if (n === 2) return p + sign * (h - l);
    return sign === 1 ? h + 2 * (p - l) : l - 2 * (h - p);
  });
}

const donchian = (bars: readonly Bar[], period: number, line: string) =>
  from(period - 1, bars, (i) =>
    line === "upper"
      ? highestAt(bars, i, period)
      : line === "lower"
        ? lowestAt(bars, i, period)
        : middleAt(bars, i, period),
  );
const signOf = (line: string) => ({ upper: 1, lower: -1 })[line] ?? 0;

export const FAMILY_ORACLES: Record<string, FamilyOracle> = {
  ...LISTED_FAMILIES,
  WMA: (bars, _, n = 0) => from(n - 1, bars, (i) => wmaAt(closes(bars), n, i)),
  HMA: (bars, _, n = 0) => hull(bars, n),
  KAMA: (bars, _, n = 0, fast = 0, slow = 0) => kaufman(bars, n, fast, slow),
  ALMA: (bars, _, n = 0, offset = 0, sigma = 0) => arnaudLegoux(bars, n, offset, sigma),
  VWMA: (bars, _, n = 0) =>
    from(n - 1, bars, (i) => {
      const window = latest(bars, i, n);
      const volume = sum(window.map((bar) => bar.volume));
      return volume === 0 ? mean(closes(window)) : sum(window.map((bar) => bar.close * bar.volume)) / volume;
    }),
  LinReg: (bars, line, n = 0) => regression(bars, n, line),
  Supertrend: (bars, line, n = 0, multiplier = 0) => supertrend(bars, n, multiplier, line),
  Donchian: (bars, line, n = 0) => donchian(bars, n, line),
  Highest: (bars, _, n = 0) => donchian(bars, n, "upper"),
  Lowest: (bars, _, n = 0) => donchian(bars, n, "lower"),
  Keltner: (bars, line, n = 0, atr = 0, multiplier = 0) =>
    from(line === "middle" ? n - 1 : Math.max(n - 1, atr), bars, (i) => {
      const size = line === "middle" ? 0 : wilderRangeAt(bars, atr, i);
      return emaAt(closes(bars), n, 0, i) + signOf(line) * multiplier * size;
    }),
  Chandelier: (bars, line, n = 0, multiplier = 0) =>
    from(n, bars, (i) => {
      const size = multiplier * wilderRangeAt(bars, n, i);
      return line === "long" ? highestAt(bars, i, n) - size : lowestAt(bars, i, n) + size;
    }),
  ATRBands: (bars, line, n = 0, multiplier = 0) =>
    from(n, bars, (i) => at(bars, i).close + signOf(line) * multiplier * smaAt(trueRanges(bars), n, i)),
  Envelopes: (bars, line, n = 0, percent = 0) =>
    from(n - 1, bars, (i) => smaAt(closes(bars), n, i) * (1 + (signOf(line) * percent) / 100)),
  WilderATR: (bars, _, n = 0) => from(n, bars, (i) => wilderRangeAt(bars, n, i)),
  ROC: (bars, _, n = 0) => from(n, bars, (i) => rocAt(bars, n, i)),
  PPO: (bars, line, fast = 0, slow = 0, signal = 0) => {
    const x = closes(bars);
    const mainAt = (i: number) => 100 * (emaAt(x, fast, 0, i) / emaAt(x, slow, 0, i) - 1);
    return pairOf(bars, { first: slow - 1, signal, line }, mainAt, (main, i) => emaAt(main, signal, slow - 1, i));
  },
  TRIX: (bars, _, n = 0) => {
    const triple = emaOfEma(closes(bars), n, 3)[3] as number[];
    return from(3 * n - 2, bars, (i) => 100 * (at(triple, i) / at(triple, i - 1) - 1));
  },
  TSI: (bars, line, long = 0, short = 0, signal = 0) => trueStrength(bars, long, short, signal, line),
  StochRSI: (bars, line, ...values) => stochasticRsi(bars, line, values),
  Ultimate: (bars, _, ...periods) => ultimate(bars, periods),
  CMO: (bars, _, n = 0) =>
    from(n, bars, (i) => {
      const changes = span(i - n + 1, i).map((j) => changeAt(bars, j));
      const size = sum(changes.map(Math.abs));
      return size === 0 ? 0 : (100 * sum(changes)) / size;
    }),
  Fisher: (bars, line, n = 0) => fisher(bars, n, line),
  AO: (bars, _, fast = 0, slow = 0) =>
    from(slow - 1, bars, (i) => smaAt(medians(bars), fast, i) - smaAt(medians(bars), slow, i)),
  AC: (bars, _, fast = 0, slow = 0, signal = 0) => {
    const mainAt = (i: number) => smaAt(medians(bars), fast, i) - smaAt(medians(bars), slow, i);
    return pairOf(bars, { first: slow - 1, signal, line: "hist" }, mainAt, (main, i) => smaAt(main, signal, i));
  },
  DPO: (bars, _, n = 0) => {
    const shift = Math.floor(n / 2) + 1;
    return from(Math.max(n - 1, shift), bars, (i) => at(bars, i - shift).close - smaAt(closes(bars), n, i));
  },
  Coppock: (bars, _, smoothing = 0, long = 0, short = 0) => {
    const first = Math.max(long, short);
    const rates = lateFrom(first, bars, (i) => rocAt(bars, long, i) + rocAt(bars, short, i));
    return from(first + smoothing - 1, bars, (i) => wmaAt(rates, smoothing, i));
  },
  KST: (bars, line, signal = 0) => knowSure(bars, signal, line),
  Aroon: (bars, line, n = 0) => aroon(bars, n, line),
  Vortex: (bars, line, n = 0) =>
    from(n, bars, (i) => {
      const steps = span(i - n + 1, i);
      const moves = steps.map((j) =>
        line === "plus"
          ? Math.abs(at(bars, j).high - at(bars, j - 1).low)
          : Math.abs(at(bars, j).low - at(bars, j - 1).high),
      );
      const ranges = sum(steps.map((j) => at(trueRanges(bars), j)));
      return ranges === 0 ? 1 : sum(moves) / ranges;
    }),
  MassIndex: (bars, _, smoothing = 0, n = 0) => massIndex(bars, smoothing, n),
  Choppiness: (bars, _, n = 0) =>
    from(n, bars, (i) => {
      const reach = highestAt(bars, i, n) - lowestAt(bars, i, n);
      const ranges = sum(latest(trueRanges(bars), i, n));
      return reach === 0 ? 100 : (100 * Math.log(ranges / reach)) / Math.log(n);
    }),
  HV: (bars, _, n = 0, yearly = 0) =>
    from(n, bars, (i) => {
      const returns = span(i - n + 1, i).map((j) => Math.log(at(bars, j).close) - Math.log(at(bars, j - 1).close));
      const variance = sum(returns.map((each) => (each - mean(returns)) ** 2)) / (n - 1);
      return 100 * Math.sqrt(variance * yearly);
    }),
  CMF: (bars, _, n = 0) =>
    from(n - 1, bars, (i) => {
      const window = latest(bars, i, n);
      const volume = sum(window.map((bar) => bar.volume));
      return volume === 0 ? 0 : sum(window.map(flowAt)) / volume;
    }),
  ChaikinOsc: (bars, _, fast = 0, slow = 0) => {
    const totals = bars.map((_bar, i) => sum(bars.slice(0, i + 1).map(flowAt)));
    return from(slow - 1, bars, (i) => emaAt(totals, fast, 0, i) - emaAt(totals, slow, 0, i));
  },
  EMV: (bars, _, n = 0) => {
    const eases = lateFrom(1, bars, (i) => {
      const { high, low, volume } = at(bars, i);
      return volume === 0 ? 0 : (at(medians(bars), i) - at(medians(bars), i - 1)) / (volume / 1e8 / (high - low));
    });
    return from(n, bars, (i) => smaAt(eases, n, i));
  },
  ForceIndex: (bars, _, n = 0) => {
    const forces = lateFrom(1, bars, (i) => changeAt(bars, i) * at(bars, i).volume);
    return from(n, bars, (i) => emaAt(forces, n, 1, i));
  },
  ElderRay: (bars, line, n = 0) =>
    from(n - 1, bars, (i) => (line === "bull" ? at(bars, i).high : at(bars, i).low) - emaAt(closes(bars), n, 0, i)),
  HeikinAshi: (bars, line) => heikinAshi(bars, line),
  ZigZag: (bars, line, percent = 0) => zigZag(bars, percent, line),
  VWAP: (bars, _, anchor) => vwap(bars, String(anchor)),
  Pivot: (bars, line, kind, unit) => pivot(bars, String(kind), String(unit), line),
  ZScore: (bars, _, n = 0) =>
    from(n - 1, bars, (i) => {
      const deviation = deviationAt(bars, i, n);
      return deviation < 1e-10 ? 0 : (at(bars, i).close - mean(latest(closes(bars), i, n))) / deviation;
    }),
};
