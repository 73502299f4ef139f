/**
 * One symbol's recorded seconds of one UTC hour, as columns. The recorder fills them while the hour is open; ticks, bars
 * and spreads are all computed from them. Prices are whole points (price × 10^digits): sums and comparisons are exact.
 */
export interface HourColumns {
  readonly symbol: string;
  readonly digits: number;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
  /** Seconds that have a row. */
  count: number;
  /** Price updates of each second of the hour; 0 where there is no row. */
  readonly updates: Uint32Array;
  /** Bid and ask of the second's last update, in points. */
  readonly bid: Int32Array;
  readonly ask: Int32Array;
  /** First, highest and lowest bid of the second, in points; the last is `bid`. */
  readonly open: Int32Array;
  readonly high: Int32Array;
  readonly low: Int32Array;
}

/** One recorded second of one symbol. It is absolute: writing it twice changes nothing. Prices in points. */
export interface SecondRow {
  readonly symbol: string;
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
  const column = () => new Int32Array(SECONDS_PER_HOUR);
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

/** Writes a second into its hour, over what was there, and returns what that changed. */
export function writeSecond(hour: HourColumns, row: SecondRow): "new" | "changed" | "same" {
  const at = row.second - hour.hourMs / 1000;
  const before = hour.updates[at];
  if (before === undefined) throw new RangeError(`second ${row.second} is not in the hour from ${hour.hourMs}`);
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
