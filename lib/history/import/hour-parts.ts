import { type BarList, decodeBars, encodeBars, mergeBars } from "@/lib/history/import/bar-list";
import { mergeTicks } from "@/lib/history/import/merge-ticks";
import { decodeTicks, encodeTicks, type TickList } from "@/lib/history/import/tick-list";

/** The parts that one symbol's hour is made of: those of each imported source, and what the recorder had stored. */

/** The source of what the recorder had stored. No import has an empty name. */
export const RECORDED = "";
/** The number that stands for ticks in place of a timeframe. */
export const TICKS = 0;

export type HourPart = TickPart | BarPart;

interface TickPart {
  readonly source: string;
  readonly timeframe: typeof TICKS;
  readonly ticks: TickList;
}

interface BarPart {
  readonly source: string;
  /** In minutes. */
  readonly timeframe: number;
  readonly bars: BarList;
}

/** A part as the database holds it. */
export interface PackedPart {
  readonly source: string;
  readonly timeframe: number;
  readonly block: Buffer;
}

export function isTickPart(part: HourPart): part is TickPart {
  return "ticks" in part;
}

export function packPart(part: HourPart, hourMs: number): PackedPart {
  const { source, timeframe } = part;
  return { source, timeframe, block: isTickPart(part) ? encodeTicks(part.ticks) : encodeBars(part.bars, hourMs) };
}

/** Throws an Error for a damaged block. */
export function unpackPart({ source, timeframe, block }: PackedPart, hourMs: number): HourPart {
  return timeframe === TICKS
    ? { source, timeframe, ticks: decodeTicks(block) }
    : { source, timeframe, bars: decodeBars(block, hourMs) };
}

/** The rows of a part. */
export function countRows(part: HourPart): number {
  return isTickPart(part) ? part.ticks.ms.length : part.bars.length;
}

/** Adds a part to the stored one of the same source and timeframe. */
export function mergeParts(stored: HourPart, added: HourPart): HourPart {
  const { source } = added;
  if (isTickPart(stored) && isTickPart(added)) {
    return { source, timeframe: TICKS, ticks: mergeTicks(stored.ticks, added.ticks) };
  }
  if (isTickPart(stored) || isTickPart(added)) throw new Error("Ticks cannot be merged with bars");
  return { source, timeframe: added.timeframe, bars: mergeBars(stored.bars, added.bars) };
}
