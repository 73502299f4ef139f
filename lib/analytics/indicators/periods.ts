import { aroundLevel, closeAgainstLine, type Stream } from "@/lib/analytics/indicators/definition";
import { factor, type IndicatorFamily, type Parameter } from "@/lib/analytics/indicators/family";
import { createLine } from "@/lib/analytics/indicators/window";
import type { Bar } from "@/lib/market/bar";
import { SESSION_NAMES, type SessionName, USUAL_SESSION_HOURS } from "@/lib/market/sessions/session-hours";
import { getBarStart, toTradingClock } from "@/lib/market/timeframe";
import { toCivilTime, zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Indicators of days, weeks, months and sessions, and those that see other bars than the market's. */

const SPANS = ["day", "week", "month"] as const;
type Span = (typeof SPANS)[number];
const LONGEST: Readonly<Record<Span, "D1" | "W1">> = { day: "D1", week: "W1", month: "D1" };

const isSpan = (anchor: string): anchor is Span => SPANS.some((span) => span === anchor);

/** When the trading day, week or month of a moment began; `back` counts months back. UTC milliseconds in and out. */
function findSpanStart(span: Span, atMs: number, back = 0): number {
  if (span !== "month") return getBarStart(span === "day" ? "D1" : "W1", atMs);
  const shown = new Date(toTradingClock(atMs));
  // The first trading day of a month begins at 17:00 in New York on the day before.
  const firstMs = Date.UTC(shown.getUTCFullYear(), shown.getUTCMonth() - back, 1) - DAY_MS;
  const eve = new Date(firstMs);
  return zonedTimeToUtcMs(
    "America/New_York",
    eve.getUTCFullYear(),
    eve.getUTCMonth() + 1,
    eve.getUTCDate(),
    DAY_MS - 7 * HOUR_MS,
  );
}

/** The latest opening of a session at or before a moment, on a local weekday. */
function findOpening(session: SessionName, atMs: number): number {
  const { zone, opensAtMinute } = USUAL_SESSION_HOURS[session];
  const { year, month, day, weekday, msOfDay } = toCivilTime(zone, atMs);
  let back = msOfDay >= opensAtMinute * MINUTE_MS ? 0 : 1;
  while ([0, 6].includes((weekday - back + 7) % 7)) back += 1;
  return zonedTimeToUtcMs(zone, year, month, day - back, opensAtMinute * MINUTE_MS);
}

/** Remembers the latest result: every start is at a full hour. */
function memoizeHour(find: (timeMs: number) => number): (timeMs: number) => number {
  let hour = NaN;
  let start = NaN;
  return (timeMs) => {
    const hourOfTime = Math.floor(timeMs / HOUR_MS);
    if (hourOfTime !== hour) [hour, start] = [hourOfTime, find(timeMs)];
    return start;
  };
}

function createAnchored(findStart: (timeMs: number) => number): Stream {
  let start = NaN;
  let [value, volume, plain, count] = [0, 0, 0, 0];
  return createLine((bar) => {
    const begins = findStart(bar.timeMs);
    if (begins !== start) [start, value, volume, plain, count] = [begins, 0, 0, 0, 0];
    const typical = (bar.high + bar.low + bar.close) / 3;
    value += typical * bar.volume;
    volume += bar.volume;
    plain += typical;
    count += 1;
    return volume === 0 ? plain / count : value / volume;
  });
}

/** The bars of a day, week or month as one. */
interface Whole {
  readonly startMs: number;
  readonly open: number;
  high: number;
  low: number;
  close: number;
}

type Levels = Readonly<Record<string, (previous: Whole) => number>>;

const middleOf = ({ high, low, close }: Whole) => (high + low + close) / 3;
const rangeOf = ({ high, low }: Whole) => high - low;

/** The levels around a pivot that floor traders use. */
function createUsualLevels(pivot: (previous: Whole) => number): Levels {
  return {
    P: pivot,
    R1: (previous) => 2 * pivot(previous) - previous.low,
    S1: (previous) => 2 * pivot(previous) - previous.high,
    R2: (previous) => pivot(previous) + rangeOf(previous),
    S2: (previous) => pivot(previous) - rangeOf(previous),
    R3: (previous) => previous.high + 2 * (pivot(previous) - previous.low),
    S3: (previous) => previous.low - 2 * (previous.high - pivot(previous)),
  };
}

/** Levels at parts of the range above and below a price. */
function createParts(base: (previous: Whole) => number, parts: readonly number[]): Levels {
  return Object.fromEntries(
    parts.flatMap((part, i) => [
      [`R${i + 1}`, (previous: Whole) => base(previous) + part * rangeOf(previous)],
      [`S${i + 1}`, (previous: Whole) => base(previous) - part * rangeOf(previous)],
    ]),
  ) as Levels;
}

function weighDemark({ open, high, low, close }: Whole): number {
  if (close < open) return high + 2 * low + close;
  return close > open ? 2 * high + low + close : high + low + 2 * close;
}

const KINDS = {
  classic: createUsualLevels(middleOf),
  fibonacci: { P: middleOf, ...createParts(middleOf, [0.382, 0.618, 1]) },
  camarilla: { P: middleOf, ...createParts(({ close }) => close, [1.1 / 12, 1.1 / 6, 1.1 / 4, 1.1 / 2]) },
  woodie: createUsualLevels(({ high, low, close }) => (high + low + 2 * close) / 4),
  demark: {
    P: (previous) => weighDemark(previous) / 4,
    R1: (previous) => weighDemark(previous) / 2 - previous.low,
    S1: (previous) => weighDemark(previous) / 2 - previous.high,
  },
} satisfies Readonly<Record<string, Levels>>;

const findLevel = (kind: string, line: string) => (KINDS as Readonly<Record<string, Levels>>)[kind]?.[line];

/** The moment from which bars decide the levels of a bar: two trading days before its own, or one week or month. */
function findPivotStart(span: Span, timeMs: number): number {
  const start = findSpanStart(span, timeMs);
  if (span === "week") return start - 7 * DAY_MS;
  if (span === "month") return findSpanStart("month", timeMs, 1);
  // Monday and Tuesday have a weekend before them.
  const weekday = new Date(toTradingClock(start)).getUTCDay();
  return start - (weekday === 1 || weekday === 2 ? 4 : 2) * DAY_MS - HOUR_MS;
}

function createPivot(kind: string, span: Span, line: string, since: (timeMs: number) => number): Stream {
  const level = findLevel(kind, line) as (previous: Whole) => number;
  const findStart = memoizeHour((timeMs) => findSpanStart(span, timeMs));
  let previous: Whole | null = null;
  let current: Whole | null = null;
  return createLine(({ timeMs, open, high, low, close }) => {
    const startMs = findStart(timeMs);
    if (current === null || current.startMs !== startMs) {
      previous = current;
      current = { startMs, open, high, low, close };
    } else {
      current.high = Math.max(current.high, high);
      current.low = Math.min(current.low, low);
      current.close = close;
    }
    return previous === null || previous.startMs < since(timeMs) ? null : level(previous);
  });
}

/** Averaged bars: the open is the middle of the body before. */
function createHeikinAshi(line: string): Stream {
  let body: { readonly open: number; readonly close: number } | null = null;
  return createLine((bar) => {
    const close = (bar.open + bar.high + bar.low + bar.close) / 4;
    const open: number = body === null ? (bar.open + bar.close) / 2 : (body.open + body.close) / 2;
    body = { open, close };
    if (line === "open" || line === "close") return body[line];
    return line === "high" ? Math.max(bar.high, open, close) : Math.min(bar.low, open, close);
  });
}

/** The latest turn of the market that is known at a bar: it never changes later. */
class ZigZag implements Stream {
  readonly #part: number;
  readonly #showsDirection: boolean;
  #direction: -1 | 0 | 1 = 0;
  #highest = -Infinity;
  #lowest = Infinity;
  #turn = 0;

  constructor(percent: number, showsDirection: boolean) {
    this.#part = percent / 100;
    this.#showsDirection = showsDirection;
  }

  push({ high, low }: Bar): number | null {
    const isHigher = high > this.#highest;
    const isLower = low < this.#lowest;
    if (isHigher) this.#highest = high;
    if (isLower) this.#lowest = low;
    const hasRisen = high >= this.#lowest * (1 + this.#part);
    const hasFallen = low <= this.#highest * (1 - this.#part);
    // A bar that goes on in its direction does not also turn.
    if (this.#direction !== 1 && !(this.#direction === -1 && isLower) && hasRisen)
      this.#begin(1, this.#lowest, high, low);
    else if (this.#direction !== -1 && !(this.#direction === 1 && isHigher) && hasFallen)
      this.#begin(-1, this.#highest, high, low);
    if (this.#direction === 0) return null;
    return this.#showsDirection ? this.#direction : this.#turn;
  }

  #begin(direction: -1 | 1, turn: number, high: number, low: number): void {
    this.#direction = direction;
    this.#turn = turn;
    this.#highest = high;
    this.#lowest = low;
  }
}

const anchor: Parameter = { name: "anchor", usual: "day", words: [...SPANS, ...SESSION_NAMES] };

export const periodFamilies: readonly IndicatorFamily[] = [
  {
    name: "VWAP",
    title: "Volume-weighted average price since the start of the",
    category: "trend",
    formula:
      "sum of typical price × tick volume / sum of tick volumes of the bars since the latest start: of the trading day, week or month at 17:00 in New York, " +
      "or of the session's office hours on a weekday; typical = (high + low + close) / 3",
    source: "TradingView's ta.vwap(hlc3), with the trading days of forex",
    parameters: [anchor],
    lines: { "": "" },
    define(start: string) {
      const find = isSpan(start)
        ? (timeMs: number) => findSpanStart(start, timeMs)
        : (timeMs: number) => findOpening(start as SessionName, timeMs);
      return {
        warmUp: 1,
        since: memoizeHour(find),
        longest: isSpan(start) ? LONGEST[start] : "H1",
        range: null,
        decimals: "price",
        signal: closeAgainstLine,
        create: () => createAnchored(memoizeHour(find)),
      };
    },
  },
  {
    name: "Pivot",
    title: "Pivot points",
    category: "trend",
    formula:
      "of high, low and close of the trading day, week or month before. P = (H + L + C) / 3. classic: R1, S1 = 2P − L, 2P − H; R2, S2 = P ± (H − L); R3 = H + 2(P − L), S3 = L − 2(H − P). " +
      "fibonacci: P ± 0.382, 0.618, 1 × (H − L). camarilla: C ± 1.1 × (H − L) / 12, 6, 4, 2. woodie: classic with P = (H + L + 2C) / 4. " +
      "demark: X = H + 2L + C after a fall, 2H + L + C after a rise, else H + L + 2C; P = X / 4, R1 = X / 2 − L, S1 = X / 2 − H",
    source: "StockCharts (classic, fibonacci, demark), Nick Scott (camarilla), Ken Wood (woodie)",
    parameters: [
      { name: "kind", usual: "classic", words: Object.keys(KINDS) },
      { name: "span", usual: "day", words: SPANS },
    ],
    lines: {
      P: "pivot",
      R1: "first resistance",
      R2: "second resistance",
      R3: "third resistance",
      R4: "fourth resistance",
      S1: "first support",
      S2: "second support",
      S3: "third support",
      S4: "fourth support",
    },
    rule: {
      text: "demark has P, R1 and S1 alone, and only camarilla has R4 and S4",
      holds: (kind: string, _: string, line: string) => findLevel(kind, line) !== undefined,
    },
    define(kind: string, span: Span, line: string) {
      const since = memoizeHour((timeMs) => findPivotStart(span, timeMs));
      return {
        warmUp: 2,
        since,
        longest: LONGEST[span],
        range: null,
        decimals: "price",
        signal: closeAgainstLine,
        create: () =>
          createPivot(
            kind,
            span,
            line,
            memoizeHour((timeMs) => findPivotStart(span, timeMs)),
          ),
      };
    },
  },
  {
    name: "HeikinAshi",
    title: "Heikin-Ashi bar",
    category: "trend",
    formula:
      "close: (open + high + low + close) / 4; open: middle of the open and close before, at first of the bar; high, low: the extreme of high, low, open and close of both",
    source: "Munehisa Homma's averaged bars; as TradingView computes them",
    parameters: [],
    lines: { open: "open", high: "high", low: "low", close: "close" },
    define: (line: string) => ({
      warmUp: 1,
      // An open has half the weight of the one before.
      lookback: 60,
      range: null,
      decimals: "price",
      signal: closeAgainstLine,
      create: () => createHeikinAshi(line),
    }),
  },
  {
    name: "ZigZag",
    title: "ZigZag",
    category: "trend",
    formula:
      "the latest high or low from which the price has moved back by `percent`, as far as it is known at the bar: no value changes later; direction: 1 after a low, −1 after a high",
    source: "own: lines that are drawn from turn to turn change with later bars, and these do not",
    parameters: [factor("percent", 1, 0.01, 50)],
    lines: { "": "latest turn", direction: "direction" },
    define: (percent: number, line: string) => ({
      warmUp: 1,
      lookback: 1_000,
      ...(line === ""
        ? { range: null, decimals: "price", signal: closeAgainstLine }
        : { range: [-1, 1] as const, decimals: "oscillator", signal: aroundLevel(0) }),
      create: () => new ZigZag(percent, line === "direction"),
    }),
  },
];
