import type { BarHistory, ManyBars } from "@/lib/history/bars/bar-history";
import type { DayHistory } from "@/lib/history/days";
import type { SecondRow } from "@/lib/history/hour-columns";
import type { OpenHours } from "@/lib/history/open-hours";
import type { readOrigins } from "@/lib/history/proof/hour-proofs";
import type { SpreadHistory } from "@/lib/history/spreads/spread-history";
import type { UsualSpreads } from "@/lib/history/spreads/usual-spreads";
import type { TickHistory } from "@/lib/history/ticks/tick-history";
import type { PriceSide } from "@/lib/market/price";

/** All recorded data, for endpoints and pages: complete up to the last stored second. */
export interface History {
  readonly openHours: OpenHours;
  readonly bars: ManyBars;
  /** Bars of another price than the bid: joined from seconds, as far back as those are retained. */
  readonly sides: Readonly<Record<Exclude<PriceSide, "bid">, BarHistory>>;
  readonly days: DayHistory;
  readonly ticks: TickHistory;
  /** What wrote some closed hours of a symbol, which are counted since 1970. */
  readonly readOrigins: (symbols: readonly string[], hours: readonly number[]) => ReturnType<typeof readOrigins>;
  readonly spreads: SpreadHistory;
  readonly usualSpreads: Pick<UsualSpreads, "read">;
}

/** The bars of every price. */
export interface AllBars extends Pick<History, "sides"> {
  readonly bars: BarHistory;
}

/** The bars of one price. */
export function getBars({ bars, sides }: AllBars, side: PriceSide): BarHistory {
  return side === "bid" ? bars : sides[side];
}

/** A copy of the open hours, such as another process's, that follows every change. */
export interface HistoryFollower {
  /** Rows were recorded. Recording is complete up to `completeUntilMs`: UTC milliseconds on the market clock. */
  onRecorded(rows: readonly SecondRow[], completeUntilMs: number): void;
  /** The hour that began at `hourMs` was closed: it is in the database now. */
  onClosed(hourMs: number): void;
  /**
   * Hours that were not recorded live were written, or old ones removed. Or a clock that was ahead has come back: what
   * lies after `presentMs`, UTC milliseconds, was set aside.
   */
  onRewritten(presentMs?: number): void;
}
