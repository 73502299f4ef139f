import type { Category } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";

/** An instrument in the list of choices. */
export interface HistoryInstrument {
  readonly symbol: string;
  readonly name: string;
  readonly category: Category;
}

/** Ticks, or bars of a timeframe. */
export type HistoryKind = "ticks" | Timeframe;

interface PriceFormat {
  readonly symbol: string;
  readonly digits: number;
}

/** The latest bars of one symbol and timeframe. */
export interface BarData extends PriceFormat {
  readonly kind: Timeframe;
  /** Oldest first. */
  readonly bars: readonly HistoryBar[];
  /** Whether the last bar is still filling. */
  readonly isForming: boolean;
  /** The number of bars with a price in every open hour of the market; null if unknown. */
  readonly expected: number | null;
}

interface HistoryBar {
  readonly timeMs: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

/** An hour of ticks of one symbol. */
export interface TickData extends PriceFormat {
  readonly kind: "ticks";
  readonly pipSize: number;
  /** The hour: UTC milliseconds, end excluded. */
  readonly fromMs: number;
  readonly toMs: number;
  /** The end of the recorded part: `toMs`, or earlier if the hour is not over. */
  readonly knownUntilMs: number;
  /** Time, bid and ask, oldest first. */
  readonly ticks: readonly (readonly [timeMs: number, bid: number, ask: number])[];
  /** Gaps of a minute or more: from, to. */
  readonly gaps: readonly (readonly [fromMs: number, toMs: number])[];
  /** Whether the market was closed when the hour began. */
  readonly beganClosed: boolean;
}

/** In place of ticks that the account's plan does not include. */
interface LockedData extends PriceFormat {
  readonly kind: "locked";
}

export type HistoryData = BarData | TickData | LockedData;
