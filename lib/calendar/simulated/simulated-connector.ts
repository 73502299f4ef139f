import type { Connector, ConnectorParts } from "@/lib/calendar/connector";
import { type Report, type ReportedEvent, type Stream, STREAMS } from "@/lib/calendar/event";
import { worldReleases } from "@/lib/calendar/simulated/releases";
import { type Day, type FigureModel, listReleaseDays, type WorldRelease } from "@/lib/calendar/simulated/world-release";
import { deriveSeed, drawNormal, drawUniform } from "@/lib/feeds/simulated/noise";
import type { Clock } from "@/lib/platform/timing/clock";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

export const SIMULATED = "simulated";

const BACK_MS = 30 * DAY_MS;
/** How far back the primary stream goes, so that a monthly series has a year of figures. It is reported once. */
const PAST_MS = 400 * DAY_MS;
/** The part of the past in one report, and the pause after it, in which a starting server does its other work. */
const PAST_PART_MS = 10 * DAY_MS;
const PAST_PAUSE_MS = SECOND_MS;
const AHEAD_MS = 60 * DAY_MS;
/** How often the whole span is reported again, because its ends advance. */
const RENEW_MS = HOUR_MS;

interface SimulatedParts extends ConnectorParts {
  /** Whether the calendar has a simulated event before a moment, UTC milliseconds. */
  hasBefore(timeMs: number): boolean;
}

/** Reports thirty days back and sixty ahead, each figure at the minute of its release, and the 400 days before only once. */
export function createSimulatedConnector(seed: string, { report, hasBefore, now, log }: SimulatedParts): Connector {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function reportSpan(fromMs: number, toMs: number, nowMs: number): Promise<void> {
    for (const stream of STREAMS) {
      const events = listSimulatedEvents(stream, { seed, fromMs, toMs, nowMs });
      if (events.length > 0) await report({ stream, provider: SIMULATED, origin: SIMULATED, atMs: nowMs, events });
    }
  }

  async function run(lastMs: number): Promise<void> {
    const nowMs = now();
    const isStale = Math.floor(nowMs / RENEW_MS) !== Math.floor(lastMs / RENEW_MS);
    try {
      if (isStale) await reportSpan(nowMs - BACK_MS, nowMs + AHEAD_MS, nowMs);
      else await reportSpan(lastMs, nowMs, nowMs);
      schedule(nowMs);
    } catch (error) {
      log.error({ err: error }, "simulated calendar failed");
      schedule(lastMs);
    }
  }

  /** A past that was interrupted is reported again by the next start. */
  async function reportPast(nowMs: number): Promise<void> {
    if (hasBefore(nowMs - PAST_MS + PAST_PART_MS)) return;
    for (const past of listSimulatedPast(seed, nowMs)) {
      if (stopped) return;
      await report(past);
      await new Promise((resolve) => setTimeout(resolve, PAST_PAUSE_MS).unref());
    }
  }

  function schedule(lastMs: number): void {
    if (stopped) return;
    timer = setTimeout(() => void run(lastMs), getDelayMs(seed, now)).unref();
  }

  return {
    async start() {
      const nowMs = now();
      await reportSpan(nowMs - BACK_MS, nowMs + AHEAD_MS, nowMs);
      schedule(nowMs);
      reportPast(nowMs).catch((error: unknown) => {
        if (!stopped) log.error({ err: error }, "simulated past failed");
      });
    },
    stop() {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

/** The simulated past before the span that every start reports, newest first. */
export function* listSimulatedPast(seed: string, nowMs: number): Generator<Report> {
  for (let toMs = nowMs - BACK_MS; toMs > nowMs - PAST_MS; toMs -= PAST_PART_MS) {
    const events = listSimulatedEvents("primary", { seed, fromMs: toMs - PAST_PART_MS, toMs: toMs - 1, nowMs });
    yield { stream: "primary", provider: SIMULATED, origin: SIMULATED, atMs: nowMs, events };
  }
}

/** Milliseconds until the next release or the next whole report, but at least 50. */
function getDelayMs(seed: string, now: Clock): number {
  const nowMs = now();
  const renewMs = (Math.floor(nowMs / RENEW_MS) + 1) * RENEW_MS;
  const upcoming = listSimulatedEvents("primary", { seed, fromMs: nowMs + 1, toMs: renewMs, nowMs });
  const nextMs = Math.min(renewMs, ...upcoming.map(({ timeMs }) => timeMs));
  return Math.max(50, nextMs - nowMs);
}

/**
 * The simulated calendar. A figure depends only on the seed, the series and the day, so the past never changes, and the
 * actual of one release is the previous of the next.
 */

/** Long enough to find the release before the first one, also in quarterly series. */
const LOOK_BACK_MS = 200 * DAY_MS;
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

export interface SimulatedSpan {
  readonly seed: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** Releases up to this moment have their actual. */
  readonly nowMs: number;
}

/** All events of one stream in a span, both ends inclusive. */
export function listSimulatedEvents(stream: Stream, span: SimulatedSpan): ReportedEvent[] {
  return worldReleases.flatMap((release) => {
    const title = release[stream];
    return title === null ? [] : listEvents(release, title, stream, span);
  });
}

function listEvents(release: WorldRelease, title: string, stream: Stream, span: SimulatedSpan): ReportedEvent[] {
  const { currency, zone, impact, certainty, figure } = release;
  const seriesId = getSeriesId(release);
  const figures = figure === null ? null : createFigures(figure, deriveSeed(span.seed, "calendar", seriesId));
  const days = listReleaseDays(release.rule, toDay(span.fromMs - LOOK_BACK_MS), toDay(span.toMs) + DAY_MS);
  return days.flatMap((day, index) => {
    // Its release is outside the span in every zone.
    if (day < span.fromMs - 2 * DAY_MS) return [];
    const timeMs = getReleaseMs(release, day);
    if (timeMs < span.fromMs || timeMs > span.toMs) return [];
    const before = days[index - 1];
    const released = figures !== null && stream === "primary" && timeMs <= span.nowMs;
    return {
      key: `${seriesId}:${new Date(day).toISOString().slice(0, 10)}`,
      timeMs,
      zone,
      certainty,
      currency,
      impact,
      title: stream === "primary" && hasPeriod(release) ? `${title} (${formatPeriod(release, day)})` : title,
      forecast: figures?.forecast(day) ?? "",
      previous: before === undefined ? "" : (figures?.actual(before) ?? ""),
      actual: released ? figures.actual(day) : null,
      revised: released && before !== undefined ? figures.revised(before) : null,
      seriesId: stream === "primary" ? seriesId : null,
    };
  });
}

function getSeriesId({ currency, primary, secondary }: WorldRelease): string {
  const name = (primary ?? secondary ?? "").toLowerCase().replace(/[^a-z\d]+/g, "-");
  return `${currency.toLowerCase()}-${name.replace(/^-|-$/g, "")}`;
}

function getReleaseMs({ zone, at }: WorldRelease, day: Day): number {
  const date = new Date(day);
  const [hours = 0, minutes = 0] = at.split(":").map(Number);
  const msOfDay = (hours * 60 + minutes) * MINUTE_MS;
  return zonedTimeToUtcMs(zone, date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate(), msOfDay);
}

/** Statements and auctions measure no period, and titles of weekly figures do not contain theirs. */
function hasPeriod({ rule, figure }: WorldRelease): boolean {
  return rule.every === "month" && figure !== null && figure.kind !== "auction yield";
}

/** A figure measures the month before its release, a quarterly one the quarter before. */
function formatPeriod({ rule, figure }: WorldRelease, day: Day): string {
  const isQuarterly = rule.every === "month" && rule.months?.length === 4 && figure?.kind === "measure";
  if (isQuarterly) return `Q${Math.floor(new Date(day).getUTCMonth() / 3) || 4}`;
  return MONTHS[(new Date(day).getUTCMonth() + 11) % 12] ?? "";
}

function toDay(ms: number): Day {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

function createFigures(model: FigureModel, seed: number) {
  const { middle, swing, decimals, unit, kind } = model;
  const isRate = kind === "policy rate";
  const format = (value: number) => `${(Number(value.toFixed(decimals)) || 0).toFixed(decimals)}${unit}`;
  const level = (day: Day): number => {
    const index = day / DAY_MS;
    // A central bank moves its rate by a quarter of a percent every few months.
    if (isRate) return Math.max(0, middle + swing * Math.round(Math.sin(index / 160 + (seed % 7))));
    return middle + swing * (0.6 * Math.sin(index / 90 + (seed % 5)) + 0.7 * drawNormal(seed, index, 0));
  };
  return {
    actual: (day: Day) => format(level(day)),
    forecast: (day: Day) => format(isRate ? level(day) : level(day) - swing * 0.5 * drawNormal(seed, day / DAY_MS, 1)),
    /** The revision of a figure, published with the next one; null for four of five. */
    revised: (day: Day) => {
      if (isRate || drawUniform(seed, day / DAY_MS, 2) > 0.2) return null;
      const revised = format(level(day) + 10 ** -decimals);
      return revised === format(level(day)) ? null : revised;
    },
  };
}
