import { joinBars, type PointBar, toBar,toMinuteBars } from "@/lib/history/bars/point-bar";
import type { BarSeries } from "@/lib/history/history";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import type { Bar } from "@/lib/market/bar";
import { barEnd, barStart, type Timeframe } from "@/lib/market/timeframe";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * The latest bars of one symbol and timeframe in memory: what the database has of closed hours, and on top of it what
 * the open hours hold. Hours that are closed move from one to the other without a change in what is seen.
 */
export interface LiveSeries {
  /** The series as it stands; the same object until something changes. */
  read(): BarSeries;
  /** Whether there are no older bars than these. */
  readonly isWhole: boolean;
  /**
   * Takes over the M1 bars of an hour that was closed, before it is dropped from the open ones. Bars that open from
   * `growsFromMs` on may still grow then.
   */
  applyClosed(minutes: readonly PointBar[], growsFromMs: number): void;
}

/** The most closed bars that are loaded; some more are kept until the oldest are let go. */
export const LOADED_BARS = 1_100;
const KEPT_BARS = 1_400;
/** A broker's clock may be ahead of the market's: rows up to here are the present, not the future. */
const AHEAD_MS = MINUTE_MS;

export interface SeriesParts {
  readonly symbol: string;
  readonly digits: number;
  readonly timeframe: Timeframe;
  /** Finished bars, made of closed hours only. */
  readonly bars: readonly PointBar[];
  /** H1 bars of the closed hours since, of a timeframe longer than an hour. */
  readonly hours: readonly PointBar[];
  readonly isWhole: boolean;
}

export function isBeyondAnHour(timeframe: Timeframe): boolean {
  return timeframe === "H4" || timeframe === "D1" || timeframe === "W1";
}

/** The moment from which bars of a timeframe may still grow: those that opened before are finished and in the database. */
export function findGrowthStart(timeframe: Timeframe, openHours: OpenHoursKeeper, except?: number): number {
  const oldest = openHours.listStarts().find((hourMs) => hourMs !== except) ?? Infinity;
  return barStart(timeframe, Math.min(oldest, openHours.completeUntilMs));
}

export function createSeries(parts: SeriesParts, openHours: OpenHoursKeeper): LiveSeries {
  const { symbol, digits, timeframe } = parts;
  const isOpen = (timeMs: number) =>
    openHours.getHours(symbol).some(({ hourMs }) => timeMs >= hourMs && timeMs < hourMs + HOUR_MS);
  // Just after an hour was closed the database has it already, and it is still open here.
  const notOpen = (bar: PointBar) => !isOpen(bar.timeMs);
  let settled = parts.bars.filter((bar) => isBeyondAnHour(timeframe) || notOpen(bar)).map((bar) => toBar(bar, digits));
  let hours = parts.hours.filter(notOpen);
  let isWhole = parts.isWhole;
  let series: BarSeries = { closed: [], forming: null };
  let revision = -1;
  let nextCloseMs = -Infinity;

  /** Bars that the open hours have a part in. */
  function growing(): PointBar[] {
    const presentMs = openHours.completeUntilMs + AHEAD_MS;
    const open = openHours.getHours(symbol).filter(({ hourMs }) => hourMs <= presentMs);
    const bars = [...hours, ...open.flatMap(toMinuteBars)];
    return timeframe === "M1" ? bars : joinBars(bars, timeframe);
  }

  function rebuild(): void {
    const bars = growing().map((bar) => toBar(bar, digits));
    const last = bars.at(-1);
    const lastEndMs = last === undefined ? Infinity : barEnd(timeframe, last.timeMs);
    const forming = last !== undefined && lastEndMs > openHours.completeUntilMs ? last : null;
    const closed = [...settled, ...(forming === null ? bars : bars.slice(0, -1))];
    series = { closed: areSame(closed, series.closed) ? series.closed : closed, forming };
    nextCloseMs = forming === null ? Infinity : lastEndMs;
  }

  return {
    get isWhole() {
      return isWhole;
    },
    read() {
      const revisionNow = openHours.getRevision(symbol);
      if (revision !== revisionNow || openHours.completeUntilMs >= nextCloseMs) {
        rebuild();
        revision = revisionNow;
      }
      return series;
    },
    applyClosed(minutes, growsFromMs) {
      let finished: readonly PointBar[];
      if (isBeyondAnHour(timeframe)) {
        hours = [...hours, ...joinBars(minutes, "H1")].sort((a, b) => a.timeMs - b.timeMs);
        finished = joinBars(
          hours.filter(({ timeMs }) => timeMs < growsFromMs),
          timeframe,
        );
        hours = hours.filter(({ timeMs }) => timeMs >= growsFromMs);
      } else {
        finished = timeframe === "M1" ? minutes : joinBars(minutes, timeframe);
      }
      settled = [...settled, ...finished.map((bar) => toBar(bar, digits))];
      if (settled.length <= KEPT_BARS) return;
      settled = settled.slice(-LOADED_BARS);
      isWhole = false;
    },
  };
}

function areSame(a: readonly Bar[], b: readonly Bar[]): boolean {
  return a.length === b.length && a.every((bar, i) => isSame(bar, b[i] as Bar));
}

function isSame(a: Bar, b: Bar): boolean {
  if (a === b) return true;
  const sameTime = a.timeMs === b.timeMs && a.volume === b.volume;
  return sameTime && a.open === b.open && a.high === b.high && a.low === b.low && a.close === b.close;
}
