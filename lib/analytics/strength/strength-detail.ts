import { setImmediate as nextTurn } from "node:timers/promises";
import { correlateSymbols } from "@/lib/analytics/correlation-matrix";
import { alignBars, type AlignedBars } from "@/lib/analytics/strength/aligned-bars";
import { currencyPairs } from "@/lib/analytics/strength/currencies";
import { computeReturn, WINDOW_BARS } from "@/lib/analytics/strength/raw-strength";
import { BARS_NEEDED, computeStrengthHistory } from "@/lib/analytics/strength/strength";
import type { Bar } from "@/lib/market/bar";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";

/** Bars whose strengths are shown. */
const HISTORY_BARS = 120;
/** Returns that are correlated, of each two symbols, unless a call names another number. */
export const CORRELATED_BARS = 120;

/** How strength came about: the strengths of earlier bars, and the moves of the pairs. */
export interface StrengthDetail {
  /** When the bars of `history` ended: UTC milliseconds, oldest first. */
  readonly times: readonly number[];
  /** For each of `times` the strengths, in the order of `CURRENCIES`. */
  readonly history: readonly (readonly number[])[];
  /** One for each of `currencyPairs`. */
  readonly moves: readonly (number | null)[];
  /** Rows and columns are `currencyPairs`. */
  readonly correlations: readonly (readonly (number | null)[])[];
}

/**
 * Computes the detail of a timeframe from each pair's closed bars, in the order of `currencyPairs`. Each part takes some
 * milliseconds, so the event loop has a turn between them.
 */
export async function computeDetail(
  timeframe: Timeframe,
  closed: readonly (readonly Bar[])[],
): Promise<StrengthDetail> {
  const aligned = alignBars(closed, BARS_NEEDED + HISTORY_BARS);
  await nextTurn();
  const history = computeStrengthHistory(aligned, currencyPairs, timeframe, HISTORY_BARS);
  await nextTurn();
  const times = aligned.times.slice(aligned.times.length - history.length);
  return {
    times: times.map((startMs) => getBarEnd(timeframe, startMs)),
    history,
    moves: computeMoves(aligned),
    correlations: correlateSymbols(closed, CORRELATED_BARS).rows,
  };
}

/** Each pair's move in percent over the twelve bars of strength: 100 (close ÷ close at the start − 1); null without both. */
function computeMoves({ times, pairs }: AlignedBars): (number | null)[] {
  const last = times.length - 1;
  return pairs.map((bars) => {
    const value = computeReturn(bars, last - WINDOW_BARS, last);
    return Number.isNaN(value) ? null : 100 * Math.expm1(value);
  });
}
