import { createPoints, isNarrow, type Points, raisePoints } from "@/lib/history/points";
import { alignPoints } from "@/lib/market/price";

/**
 * One symbol's recorded seconds of one UTC hour, as columns. The recorder fills them while the hour is open; ticks, bars
 * and spreads are all computed from them. Prices are whole points (price × 10^digits): sums and comparisons are exact. A
 * row of more digits raises those of the whole hour.
 */
export interface HourColumns {
  readonly symbol: string;
  digits: number;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
  /** Seconds that have a row. */
  count: number;
  /** Price updates of each second of the hour; 0 where there is no row. */
  readonly updates: Uint32Array;
  /** Bid and ask of the second's last update, in points. */
  bid: Points;
  ask: Points;
  /** First, highest and lowest bid of the second, in points; the last is `bid`. */
  open: Points;
  high: Points;
  low: Points;
  /** What wrote its seconds, if not the recorder alone: the first second and the number of each cause; 0 for the recorder. */
  origins?: readonly number[];
}

/** One recorded second of one symbol. It is absolute: writing it twice changes nothing. */
export interface SecondRow {
  readonly symbol: string;
  /** The digits of its prices, which are in points. */
  readonly digits: number;
  /** Unix time in whole seconds. */
  readonly second: number;
  readonly bid: number;
  readonly ask: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly updates: number;
}

export const SECONDS_PER_HOUR = 3_600;
export const SECONDS_PER_MINUTE = 60;
export const MINUTES_PER_HOUR = 60;

export function createHourColumns(symbol: string, digits: number, hourMs: number): HourColumns {
  const column = () => createPoints(SECONDS_PER_HOUR, false);
  return {
    symbol,
    digits,
    hourMs,
    count: 0,
    updates: new Uint32Array(SECONDS_PER_HOUR),
    bid: column(),
    ask: column(),
    open: column(),
    high: column(),
    low: column(),
  };
}

const PRICES = ["bid", "ask", "open", "high", "low"] as const;

/** Gives an hour at least so many digits. Its prices stay the same. */
export function raiseHour(hour: HourColumns, digits: number): void {
  if (digits <= hour.digits) return;
  for (const name of PRICES) hour[name] = raisePoints(hour[name], hour.digits, digits);
  hour.digits = digits;
}

/** Makes room for points of more than 32 bits. */
export function widenHour(hour: HourColumns): void {
  for (const name of PRICES) if (hour[name] instanceof Int32Array) hour[name] = Float64Array.from(hour[name]);
}

/** The same second with its prices in at least so many digits. */
export function raiseRow<Row extends SecondRow>(row: Row, digits: number): Row {
  if (digits <= row.digits) return row;
  const raise = (points: number) => alignPoints(points, row.digits, digits);
  const { bid, ask, open, high, low } = row;
  const prices = { bid: raise(bid), ask: raise(ask), open: raise(open), high: raise(high), low: raise(low) };
  return { ...row, ...prices, digits };
}

/** Writes a second into its hour, over what was there, and returns what that changed. */
export function writeSecond(hour: HourColumns, written: SecondRow): "new" | "changed" | "same" {
  const at = written.second - hour.hourMs / 1000;
  const before = hour.updates[at];
  if (before === undefined) throw new RangeError(`second ${written.second} is not in the hour from ${hour.hourMs}`);
  raiseHour(hour, written.digits);
  const row = raiseRow(written, hour.digits);
  if (!isNarrow(row.high) || !isNarrow(row.ask)) widenHour(hour);
  const same =
    before === row.updates &&
    hour.bid[at] === row.bid &&
    hour.ask[at] === row.ask &&
    hour.open[at] === row.open &&
    hour.high[at] === row.high &&
    hour.low[at] === row.low;
  if (same) return "same";
  hour.updates[at] = row.updates;
  hour.bid[at] = row.bid;
  hour.ask[at] = row.ask;
  hour.open[at] = row.open;
  hour.high[at] = row.high;
  hour.low[at] = row.low;
  if (before > 0) return "changed";
  hour.count++;
  return "new";
}
