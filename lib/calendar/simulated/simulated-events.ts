import type { ReportedEvent, Stream } from "@/lib/calendar/event";
import { type Day, listReleaseDays } from "@/lib/calendar/simulated/release-rule";
import type { FigureModel, WorldRelease } from "@/lib/calendar/simulated/world-release";
import { worldReleases } from "@/lib/calendar/simulated/world-releases";
import { bell, seedOf, uniform } from "@/lib/feeds/simulated/noise";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * The simulated calendar. Every figure depends on nothing but the seed, the series and the day, so the past comes out
 * the same whenever it is asked for, and what one release leaves as its actual is the next one's previous.
 */

/** Far enough back to hold the release before the first one of a quarterly series. */
const LOOK_BACK_MS = 200 * DAY_MS;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface SimulatedSpan {
  readonly seed: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** What is released at this moment has its actual. */
  readonly nowMs: number;
}

/** Everything one stream tells of in a span, both ends inclusive. */
export function listSimulatedEvents(stream: Stream, span: SimulatedSpan): ReportedEvent[] {
  return worldReleases.flatMap((release) => {
    const title = release[stream];
    return title === null ? [] : eventsOf(release, title, stream, span);
  });
}

function eventsOf(release: WorldRelease, title: string, stream: Stream, span: SimulatedSpan): ReportedEvent[] {
  const { currency, zone, impact, certainty, figure } = release;
  const seriesId = seriesIdOf(release);
  const numbers = figure === null ? null : numbersOf(figure, seedOf(span.seed, "calendar", seriesId));
  const days = listReleaseDays(release.rule, midnight(span.fromMs - LOOK_BACK_MS), midnight(span.toMs) + DAY_MS);
  return days.flatMap((day, index) => {
    const timeMs = momentOf(release, day);
    if (timeMs < span.fromMs || timeMs > span.toMs) return [];
    const before = days[index - 1];
    const released = numbers !== null && stream === "primary" && timeMs <= span.nowMs;
    return {
      ...{ key: `${seriesId}:${new Date(day).toISOString().slice(0, 10)}`, timeMs, zone, certainty, currency, impact },
      title: stream === "primary" && hasPeriod(release) ? `${title} (${formatPeriod(release, day)})` : title,
      forecast: numbers?.forecast(day) ?? "",
      previous: before === undefined ? "" : (numbers?.actual(before) ?? ""),
      actual: released ? numbers.actual(day) : null,
      revised: released && before !== undefined ? numbers.revised(before) : null,
      seriesId: stream === "primary" ? seriesId : null,
    };
  });
}

function seriesIdOf({ currency, primary, secondary }: WorldRelease): string {
  const name = (primary ?? secondary ?? "").toLowerCase().replace(/[^a-z\d]+/g, "-");
  return `${currency.toLowerCase()}-${name.replace(/^-|-$/g, "")}`;
}

function momentOf({ zone, at }: WorldRelease, day: Day): number {
  const date = new Date(day);
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const msOfDay = (hours * 60 + minutes) * MINUTE_MS;
  return zonedTimeToUtcMs(zone, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), msOfDay);
}

/** Statements and auctions measure no period, and weekly figures do not name theirs. */
function hasPeriod({ rule, figure }: WorldRelease): boolean {
  return rule.every === "month" && figure !== null && figure.kind !== "auction yield";
}

/** A figure measures the month before its release, a quarterly one the quarter before. */
function formatPeriod({ rule, figure }: WorldRelease, day: Day): string {
  const isQuarterly = rule.every === "month" && rule.months?.length === 4 && figure?.kind === "measure";
  if (isQuarterly) return `Q${Math.floor(new Date(day).getUTCMonth() / 3) || 4}`;
  return MONTHS[(new Date(day).getUTCMonth() + 11) % 12] ?? "";
}

function midnight(ms: number): Day {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function numbersOf(model: FigureModel, seed: number) {
  const { middle, swing, decimals, unit, kind } = model;
  const isRate = kind === "policy rate";
  const write = (value: number) => `${(Number(value.toFixed(decimals)) || 0).toFixed(decimals)}${unit}`;
  const level = (day: Day): number => {
    const index = day / DAY_MS;
    // A central bank moves its rate by a quarter of a percent every few months.
    if (isRate) return Math.max(0, middle + swing * Math.round(Math.sin(index / 160 + (seed % 7))));
    return middle + swing * (0.6 * Math.sin(index / 90 + (seed % 5)) + 0.7 * bell(seed, index, 0));
  };
  return {
    actual: (day: Day) => write(level(day)),
    forecast: (day: Day) => write(isRate ? level(day) : level(day) - swing * 0.5 * bell(seed, day / DAY_MS, 1)),
    /** What a figure was revised to by the time of the next one; null for most. */
    revised: (day: Day) => {
      if (isRate || uniform(seed, day / DAY_MS, 2) > 0.2) return null;
      const revised = write(level(day) + 10 ** -decimals);
      return revised === write(level(day)) ? null : revised;
    },
  };
}
