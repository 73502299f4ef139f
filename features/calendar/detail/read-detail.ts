import { formatSurprise } from "@/features/calendar/detail/surprise-text";
import type { EventDetail, PairMoves, PastRelease } from "@/features/calendar/detail/types";
import { SOURCE_NAMES } from "@/features/calendar/source-names";
import type { CalendarEvent } from "@/lib/calendar/event";
import type { RecordedChange } from "@/lib/calendar/event-rows";
import { computeSurprises, parseFigure, type Surprise } from "@/lib/calendar/figure";
import { findMainPairs } from "@/lib/calendar/reaction/main-pairs";
import { findFrequency, listSeries } from "@/lib/calendar/series";
import { getWholeDay } from "@/lib/calendar/whole-day";
import type { Runtime } from "@/lib/runtime";
import { DAY_MS } from "@/lib/time/units";

const MOST_RELEASES = 24;
const MOST_MOVES = 12;

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
      surprise: toPastSurprise(surprises[skipped + index] ?? null, event.actual ?? ""),
    };
  });
  return releases.reverse();
}

function toPastSurprise(surprise: Surprise | null, actual: string): PastRelease["surprise"] {
  if (surprise === null) return null;
  return { text: formatSurprise(surprise.value, actual), sigmas: surprise.sigmas, n: surprise.n };
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
