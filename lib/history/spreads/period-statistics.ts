import type { OpenHours, SpreadHistory } from "@/lib/history/history";
import { type HourColumns } from "@/lib/history/hour-columns";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import { sessionGroupsAt } from "@/lib/history/spreads/session-groups";
import { rollUpColumns, rollUpMinutes } from "@/lib/history/spreads/spread-hour";
import { minutesBefore, periodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import type { WrittenHour } from "@/lib/history/spreads/spread-rows";
import { NO_STATISTICS, type SpreadStatistics, withHour } from "@/lib/history/spreads/spread-statistics";
import type { WrittenHours } from "@/lib/history/spreads/written-hours";
import type { Sessions } from "@/lib/market/sessions";
import { whenHere } from "@/lib/platform/at-once";
import type { Clock } from "@/lib/platform/clock";
import { HOUR_MS } from "@/lib/time/units";

/** What was worked out for one symbol and period, and from what. */
interface Kept {
  startMs: number;
  written: readonly WrittenHour[];
  /** The part that is made of written hours: it changes with the minute or the hour, not with every second. */
  closed: SpreadStatistics;
  revision: number;
  statistics: SpreadStatistics | null;
}

/** Makes the function that tells the statistics of what was served: SpreadHistory.over. */
export function createSpreadStatistics({
  openHours,
  writtenHours,
  sessions,
  now,
}: {
  readonly openHours: OpenHours;
  readonly writtenHours: WrittenHours;
  readonly sessions: Pick<Sessions, "openAt">;
  readonly now: Clock;
}): SpreadHistory["over"] {
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

  return (symbol, period) => {
    const nowMs = now();
    return whenHere(writtenHours.of(symbol, nowMs), (hours) => statisticsOver(symbol, period, hours, nowMs));
  };
}
