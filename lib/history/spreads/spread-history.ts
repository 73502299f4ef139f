import type { Pool } from "pg";
import { HOUR_MS, type HourColumns } from "@/lib/history/hour-columns";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import { createSpreadDetails, type SpreadDetail } from "@/lib/history/spreads/spread-detail";
import { createSourceHistory, type SourceRollup } from "@/lib/history/spreads/source-history";
import { createWrittenHours } from "@/lib/history/spreads/written-hours";
import { NO_STATISTICS, withHour, type SpreadStatistics } from "@/lib/history/spreads/spread-statistics";
import { minutesBefore, periodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { rollUpColumns, rollUpMinutes } from "@/lib/history/spreads/spread-hour";
import type { Clock } from "@/lib/platform/clock";
import { sessionGroupsAt } from "@/lib/history/spreads/session-groups";
import type { Sessions } from "@/lib/market/sessions";
import type { OpenHours } from "@/lib/history/history";
import type { SourceSpreads } from "@/lib/history/spreads/source-spreads";
import type { WrittenHour } from "@/lib/history/spreads/spread-rows";

/**
 * The spreads of the recorded seconds over a period that ends with the newest of them. A period begins on a whole minute
 * or hour (spread-period.ts). Everything is in points. What needs the database rejects when it cannot be read.
 */
export interface SpreadHistory {
  /**
   * Statistics of what was served; null when nothing was recorded in the period. At once when the symbol's hours are in
   * memory, and the same object until something has been recorded.
   */
  over(symbol: string, period: SpreadPeriod): SpreadStatistics | null | Promise<SpreadStatistics | null>;
  /** The same seconds as one histogram, and quarter of an hour by quarter of an hour. */
  detail(symbol: string, period: SpreadPeriod): Promise<SpreadDetail>;
  /** Each source's own spreads, in no order; those without a sample are left out. */
  bySource(symbol: string, period: SpreadPeriod): Promise<readonly SourceRollup[]>;
}

/** What was worked out for one symbol and period, and from what. */
interface Kept {
  startMs: number;
  written: readonly WrittenHour[];
  /** The part that is made of written hours: it changes with the minute or the hour, not with every second. */
  closed: SpreadStatistics;
  revision: number;
  statistics: SpreadStatistics | null;
}

export function createSpreadHistory({
  pool,
  openHours,
  sourceSpreads,
  sessions,
  now,
}: {
  pool: Pool;
  openHours: OpenHours;
  sourceSpreads: SourceSpreads;
  sessions: Pick<Sessions, "openAt">;
  /** The market clock, in UTC milliseconds. */
  now: Clock;
}): SpreadHistory {
  const writtenHours = createWrittenHours({ pool, openHours });
  const kept = new Map<string, Kept>();

  function statisticsOver(
    symbol: string,
    period: SpreadPeriod,
    written: readonly WrittenHour[],
    nowMs: number,
  ): SpreadStatistics | null {
    const key = `${symbol} ${period}`;
    const startMs = periodStart(period, nowMs);
    const { revision } = openHours;
    let entry = kept.get(key);
    if (entry === undefined || entry.startMs !== startMs || entry.written !== written) {
      const closed = addWritten(written, openHours.of(symbol), startMs);
      kept.set(key, (entry = { startMs, written, closed, revision: NaN, statistics: null }));
    }
    if (entry.revision !== revision) {
      const statistics = addOpen(entry.closed, openHours.of(symbol), startMs);
      entry.statistics = statistics.total.n === 0 ? null : statistics;
      entry.revision = revision;
    }
    return entry.statistics;
  }

  function addWritten(
    written: readonly WrittenHour[],
    open: readonly HourColumns[],
    startMs: number,
  ): SpreadStatistics {
    let statistics = NO_STATISTICS;
    for (const { hourMs, rollup, minutes } of written) {
      if (hourMs + HOUR_MS <= startMs || open.some((columns) => columns.hourMs === hourMs)) continue;
      const isWhole = startMs <= hourMs || minutes === null;
      const part = isWhole ? rollup : rollUpMinutes(decodeMinutes(minutes).slice(minutesBefore(startMs, hourMs)));
      statistics = withHour(statistics, sessionGroupsAt(sessions, hourMs), part);
    }
    return statistics;
  }

  function addOpen(closed: SpreadStatistics, open: readonly HourColumns[], startMs: number): SpreadStatistics {
    let statistics = closed;
    for (const columns of open) {
      const fromMinute = minutesBefore(startMs, columns.hourMs);
      statistics = withHour(statistics, sessionGroupsAt(sessions, columns.hourMs), rollUpColumns(columns, fromMinute));
    }
    return statistics;
  }

  return {
    over(symbol, period) {
      const nowMs = now();
      const written = writtenHours.of(symbol, nowMs);
      if (!(written instanceof Promise)) return statisticsOver(symbol, period, written, nowMs);
      return written.then((hours) => statisticsOver(symbol, period, hours, nowMs));
    },
    detail: createSpreadDetails({ pool, openHours, writtenHours, now }),
    bySource: createSourceHistory({ pool, sourceSpreads, now }),
  };
}
