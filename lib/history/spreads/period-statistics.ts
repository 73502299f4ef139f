import type { OpenHours, SpreadHistory } from "@/lib/history/history";
import { type HourColumns } from "@/lib/history/hour-columns";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import { getSessionGroups } from "@/lib/history/spreads/session-groups";
import { rollUpColumns, rollUpMinutes } from "@/lib/history/spreads/spread-hour";
import { countMinutesBefore, getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import type { StoredHour } from "@/lib/history/spreads/spread-rows";
import { addHour,NO_STATISTICS, type SpreadStatistics } from "@/lib/history/spreads/spread-statistics";
import type { StoredHours } from "@/lib/history/spreads/written-hours";
import type { Sessions } from "@/lib/market/sessions";
import { whenHere } from "@/lib/platform/at-once";
import type { Clock } from "@/lib/platform/clock";
import { HOUR_MS } from "@/lib/time/units";

/** What was worked out for one symbol and period, and from what. */
interface Kept {
  startMs: number;
  written: readonly StoredHour[];
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
  readonly writtenHours: StoredHours;
  readonly sessions: Pick<Sessions, "openAt">;
  readonly now: Clock;
}): SpreadHistory["readStatistics"] {
  const kept = new Map<string, Kept>();

  function statisticsOver(
    symbol: string,
    period: SpreadPeriod,
    written: readonly StoredHour[],
    nowMs: number,
  ): SpreadStatistics | null {
    const key = `${symbol} ${period}`;
    const startMs = getPeriodStart(period, nowMs);
    const { revision } = openHours;
    let entry = kept.get(key);
    if (entry === undefined || entry.startMs !== startMs || entry.written !== written) {
      const closed = addWritten(written, openHours.getHours(symbol), startMs);
      kept.set(key, (entry = { startMs, written, closed, revision: NaN, statistics: null }));
    }
    if (entry.revision !== revision) {
      const statistics = addOpen(entry.closed, openHours.getHours(symbol), startMs);
      entry.statistics = statistics.total.n === 0 ? null : statistics;
      entry.revision = revision;
    }
    return entry.statistics;
  }

  function addWritten(written: readonly StoredHour[], open: readonly HourColumns[], startMs: number): SpreadStatistics {
    let statistics = NO_STATISTICS;
    for (const { hourMs, rollup, minutes } of written) {
      if (hourMs + HOUR_MS <= startMs || open.some((columns) => columns.hourMs === hourMs)) continue;
      const isWhole = startMs <= hourMs || minutes === null;
      const part = isWhole ? rollup : rollUpMinutes(decodeMinutes(minutes).slice(countMinutesBefore(startMs, hourMs)));
      statistics = addHour(statistics, getSessionGroups(sessions, hourMs), part);
    }
    return statistics;
  }

  function addOpen(closed: SpreadStatistics, open: readonly HourColumns[], startMs: number): SpreadStatistics {
    let statistics = closed;
    for (const columns of open) {
      const fromMinute = countMinutesBefore(startMs, columns.hourMs);
      statistics = addHour(statistics, getSessionGroups(sessions, columns.hourMs), rollUpColumns(columns, fromMinute));
    }
    return statistics;
  }

  return (symbol, period) => {
    const nowMs = now();
    return whenHere(writtenHours.getHours(symbol, nowMs), (hours) => statisticsOver(symbol, period, hours, nowMs));
  };
}
