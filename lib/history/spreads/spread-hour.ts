import { type HourColumns, MINUTES_PER_HOUR, SECONDS_PER_MINUTE } from "@/lib/history/hour-columns";
import { type Histogram, RollupBuilder, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";

/** One symbol's spreads over one UTC hour, minute by minute. */
export interface SpreadHour {
  readonly symbol: string;
  /** The broker; empty for the served quotes of any broker. */
  readonly source: string;
  /** When the hour began: UTC milliseconds. */
  readonly hourMs: number;
  /** Sixty histograms in the order of time, including empty ones. */
  readonly minutes: readonly Histogram[];
}

/** The source of the served quotes. No broker's name is empty. */
export const SERVED = "";

/** The spreads of an hour of served quotes: ask − bid of every recorded second. */
export function toSpreadHour(columns: HourColumns): SpreadHour {
  const minutes = Array.from({ length: MINUTES_PER_HOUR }, (_, minute) => toMinuteHistogram(columns, minute));
  return { symbol: columns.symbol, source: SERVED, hourMs: columns.hourMs, minutes };
}

function toMinuteHistogram({ updates, bid, ask }: HourColumns, minute: number): Histogram {
  const histogram = new Map<number, number>();
  const from = minute * SECONDS_PER_MINUTE;
  for (let second = from; second < from + SECONDS_PER_MINUTE; second++) {
    if (updates[second] === 0) continue;
    const spread = (ask[second] as number) - (bid[second] as number);
    histogram.set(spread, (histogram.get(spread) ?? 0) + 1);
  }
  return histogram;
}

/** The roll-up of an open hour, from one of its minutes on. */
export function rollUpColumns({ updates, bid, ask }: HourColumns, fromMinute = 0): SpreadRollup {
  const total = new RollupBuilder();
  for (let second = fromMinute * SECONDS_PER_MINUTE; second < updates.length; second++) {
    if (updates[second] !== 0) total.add((ask[second] as number) - (bid[second] as number));
  }
  return total.build();
}

/** The roll-up of some of an hour's minutes. */
export function rollUpMinutes(minutes: readonly Histogram[]): SpreadRollup {
  const total = new RollupBuilder();
  for (const minute of minutes) for (const [spread, samples] of minute) total.add(spread, samples);
  return total.build();
}
