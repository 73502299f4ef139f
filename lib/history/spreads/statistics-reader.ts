import type { HourColumns } from "@/lib/history/hour-columns";
import type { OpenHours } from "@/lib/history/open-hours";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import { getSessionGroups } from "@/lib/history/spreads/session-groups";
import { rollUpColumns, rollUpMinutes } from "@/lib/history/spreads/spread-hour";
import { countMinutesBefore, getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import type { StoredHour } from "@/lib/history/spreads/spread-rows";
import { addHour, NO_STATISTICS, type SpreadStatistics } from "@/lib/history/spreads/spread-statistics";
import type { StoredHours } from "@/lib/history/spreads/stored-hours";
import type { Sessions } from "@/lib/market/sessions/sessions";
import type { Clock } from "@/lib/platform/timing/clock";
import { mapMaybeAsync } from "@/lib/platform/timing/maybe-async";
import { HOUR_MS } from "@/lib/time/units";

interface Options {
  readonly openHours: OpenHours;
  readonly storedHours: StoredHours;
  readonly sessions: Pick<Sessions, "openAt">;
  readonly now: Clock;
}

/** The result for one symbol and period, with its inputs. */
interface Entry {
  startMs: number;
  stored: readonly StoredHour[];
  /** The part from stored hours: it changes with the minute or the hour, not with every second. */
  closed: SpreadStatistics;
  revision: number;
  statistics: SpreadStatistics | null;
}

/** Reads statistics of the served spreads: SpreadHistory.readStatistics. */
export class StatisticsReader {
  readonly #options: Options;
  readonly #entries = new Map<string, Entry>();

  constructor(options: Options) {
    this.#options = options;
  }

  read(symbol: string, period: SpreadPeriod): SpreadStatistics | null | Promise<SpreadStatistics | null> {
    const nowMs = this.#options.now();
    const hours = this.#options.storedHours.getHours(symbol, nowMs);
    return mapMaybeAsync(hours, (stored) => this.#compute(symbol, period, stored, nowMs));
  }

  #compute(symbol: string, period: SpreadPeriod, stored: readonly StoredHour[], nowMs: number) {
    const { openHours } = this.#options;
    const key = `${symbol} ${period}`;
    const startMs = getPeriodStart(period, nowMs);
    const { revision } = openHours;
    let entry = this.#entries.get(key);
    if (entry === undefined || entry.startMs !== startMs || entry.stored !== stored) {
      const closed = this.#addStored(stored, openHours.getHours(symbol), startMs);
      this.#entries.set(key, (entry = { startMs, stored, closed, revision: NaN, statistics: null }));
    }
    if (entry.revision !== revision) {
      const statistics = this.#addOpen(entry.closed, openHours.getHours(symbol), startMs);
      entry.statistics = statistics.total.n === 0 ? null : statistics;
      entry.revision = revision;
    }
    return entry.statistics;
  }

  #addStored(stored: readonly StoredHour[], open: readonly HourColumns[], startMs: number): SpreadStatistics {
    let statistics = NO_STATISTICS;
    for (const { hourMs, rollup, minutes } of stored) {
      if (hourMs + HOUR_MS <= startMs || open.some((columns) => columns.hourMs === hourMs)) continue;
      const isWhole = startMs <= hourMs || minutes === null;
      const part = isWhole ? rollup : rollUpMinutes(decodeMinutes(minutes).slice(countMinutesBefore(startMs, hourMs)));
      statistics = addHour(statistics, getSessionGroups(this.#options.sessions, hourMs), part);
    }
    return statistics;
  }

  #addOpen(closed: SpreadStatistics, open: readonly HourColumns[], startMs: number): SpreadStatistics {
    let statistics = closed;
    for (const columns of open) {
      const rollup = rollUpColumns(columns, countMinutesBefore(startMs, columns.hourMs));
      statistics = addHour(statistics, getSessionGroups(this.#options.sessions, columns.hourMs), rollup);
    }
    return statistics;
  }
}
