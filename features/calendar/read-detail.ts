import type { CalendarEvent, Frequency } from "@/lib/calendar/event";
import type { RecordedChange } from "@/lib/calendar/event-rows";
import { computeSurprises, parseFigure, writeSurprise, type WrittenSurprise } from "@/lib/calendar/figure";
import type { Move } from "@/lib/calendar/measure-move";
import { findMainPairs, MOST_MOVES } from "@/lib/calendar/reaction";
import { findFrequency, listSeries } from "@/lib/calendar/series";
import { getWholeDay } from "@/lib/calendar/whole-day";
import type { Runtime } from "@/lib/runtime";
import { DAY_MS } from "@/lib/time/units";

const MOST_RELEASES = 24;

type DetailRuntime = Pick<Runtime, "calendar" | "instruments" | "marketNow">;

/** Reads what is known of an event's series; null for an unknown event. Without `withActual` no figure is given. */
export async function readDetail(runtime: DetailRuntime, id: string, withActual: boolean): Promise<EventDetail | null> {
  const { calendar, instruments, marketNow } = runtime;
  const event = calendar.find(id)?.event;
  if (event === undefined) return null;
  const nowMs = marketNow();
  const series = listSeries(calendar.events, event);
  const past = series.filter(({ timeMs }) => timeMs <= nowMs);
  const next = series.find(({ timeMs }) => timeMs > nowMs);
  const about = event.seriesId === null ? null : await calendar.readSeriesAbout(event.seriesId);
  return {
    source: SOURCE_NAMES[event.provider] ?? event.provider,
    sourceUrl: about?.sourceUrl ?? null,
    description: about?.description ?? null,
    frequency: about?.frequency ?? findFrequency(series.map(({ timeMs }) => timeMs / DAY_MS)),
    next: next === undefined ? null : { timeMs: next.timeMs, hasHour: getWholeDay(next) === null },
    releases: await readReleases(calendar, past, withActual),
    pairs: findMainPairs(event.currency, instruments).map(({ symbol }) => symbol),
  };
}

async function readReleases(
  calendar: Pick<Runtime["calendar"], "readChanges">,
  past: readonly CalendarEvent[],
  withActual: boolean,
): Promise<PastRelease[]> {
  const surprises = computeSurprises(past);
  const shown = past.slice(-MOST_RELEASES);
  const changes = withActual ? await calendar.readChanges(shown.map(({ id }) => id)) : new Map<string, never>();
  const skipped = past.length - shown.length;
  const releases = shown.map((event, index): PastRelease => {
    const { id, timeMs, forecast } = event;
    const facts = { id, timeMs, hasHour: getWholeDay(event) === null, forecast };
    const expected = parseFigure(forecast)?.value ?? null;
    if (!withActual) {
      return { ...facts, actual: null, value: null, expected, first: null, revised: null, surprise: null };
    }
    return {
      ...facts,
      actual: event.actual,
      value: parseFigure(event.actual)?.value ?? null,
      expected,
      first: findFirst(changes.get(id) ?? [], event.actual),
      revised: findRevision(event, past[skipped + index + 1]),
      surprise: writeSurprise(surprises[skipped + index] ?? null, event.actual ?? ""),
    };
  });
  return releases.reverse();
}

/** The first figure that the source reported, if it reported another one later. */
function findFirst(changes: readonly RecordedChange[], actual: string | null): string | null {
  const first = changes.find(({ field, before }) => field === "actual" && before !== null)?.before ?? null;
  return first === actual ? null : first;
}

/** Some sources name the revised figure, others give it as the previous one of the next release. */
function findRevision({ actual }: CalendarEvent, next: CalendarEvent | undefined): string | null {
  if (next === undefined || actual === null) return null;
  const text = next.revised ?? next.previous;
  const [released, revised] = [parseFigure(actual), parseFigure(text)];
  return released === null || revised === null || released.value === revised.value ? null : text;
}

type MovesRuntime = DetailRuntime & Pick<Runtime, "moves">;

/** Reads what a main pair of an event's currency did around the past releases; null for other symbols and events. */
export async function readMoves(runtime: MovesRuntime, id: string, symbol: string): Promise<PairMoves | null> {
  const { calendar, instruments, marketNow, moves } = runtime;
  const event = calendar.find(id)?.event;
  const pair = event && findMainPairs(event.currency, instruments).find((each) => each.symbol === symbol);
  if (event === undefined || pair === undefined) return null;
  const nowMs = marketNow();
  const timed = listSeries(calendar.events, event).filter((each) => each.timeMs <= nowMs && getWholeDay(each) === null);
  const latest = timed.slice(-MOST_MOVES).reverse();
  const measured = await moves.read(
    pair,
    latest.map(({ timeMs }) => timeMs),
  );
  return {
    symbol,
    moves: latest.map((each, index) => ({ id: each.id, timeMs: each.timeMs, move: measured[index] ?? null })),
  };
}

/** The names of the calendar's sources for people. Imports have the name that their operator gave them. */
const SOURCE_NAMES: Readonly<Record<string, string>> = {
  simulated: "Simulated",
  mt5: "MetaTrader 5",
  forexfactory: "ForexFactory, weekly file",
};

/** What an open row shows about its event and the series of it. */
export interface EventDetail {
  /** Who reported the event: "MetaTrader 5". */
  readonly source: string;
  /** The publisher's page, and what the series measures, as a source says; null if none does. */
  readonly sourceUrl: string | null;
  readonly description: string | null;
  /** How often the series is released, by its source or else by its times; null if they fit no rhythm. */
  readonly frequency: Frequency | null;
  readonly next: { readonly timeMs: number; readonly hasHour: boolean } | null;
  /** The past releases, newest first, at most 24. */
  readonly releases: readonly PastRelease[];
  /** The symbols of the pairs whose moves can be read. */
  readonly pairs: readonly string[];
}

/** A past release. Without the plan's permission its figures are null. */
export interface PastRelease {
  readonly id: string;
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly hasHour: boolean;
  readonly actual: string | null;
  readonly forecast: string;
  /** Actual and forecast as numbers, for the chart. */
  readonly value: number | null;
  readonly expected: number | null;
  /** The figure as it was first released, if its source corrected it. */
  readonly first: string | null;
  /** What the next release gives for this one, if it differs. */
  readonly revised: string | null;
  readonly surprise: WrittenSurprise | null;
}

/** The moves of one pair around past releases, newest first. */
export interface PairMoves {
  readonly symbol: string;
  readonly moves: readonly { readonly id: string; readonly timeMs: number; readonly move: Move | null }[];
}
