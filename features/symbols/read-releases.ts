import type { CalendarEvent } from "@/lib/calendar/event";
import { computeSurprises, writeSurprise, type WrittenSurprise } from "@/lib/calendar/figure";
import { AROUND_MS, findUsualReach, type Move, type UsualReach } from "@/lib/calendar/measure-move";
import { MARK_LEAD_MS } from "@/lib/calendar/news-window";
import { MOST_MOVES } from "@/lib/calendar/reaction";
import { listReleaseCurrencies, type NewsQuery, readNews } from "@/lib/calendar/read-news";
import { listSeries } from "@/lib/calendar/series";
import { getWholeDay } from "@/lib/calendar/whole-day";
import type { Instrument } from "@/lib/market/instrument";
import type { Runtime } from "@/lib/runtime";
import { MINUTE_MS } from "@/lib/time/units";

type ReleaseRuntime = Pick<Runtime, "calendar" | "marketNow" | "moves">;

/** Charts name the events of one bar, the most important ones. */
const MOST_IDS = 10;

/** Reads the ids of events in a query: undefined without any, null if there are too many. */
export function readReleaseIds(query: URLSearchParams): readonly string[] | null | undefined {
  const text = query.get("ids");
  if (text === null) return undefined;
  const ids = [...new Set(text.split(","))];
  return text === "" || ids.length > MOST_IDS ? null : ids;
}

/**
 * Reads what releases of a symbol's currencies did to it, in the order of their ids. Those of other currencies, unknown
 * events and events of the day are left out.
 */
export async function readReactions(
  { calendar, marketNow, moves }: ReleaseRuntime,
  instrument: Instrument,
  { ids, withActual }: { readonly ids: readonly string[]; readonly withActual: boolean },
): Promise<Reaction[]> {
  const nowMs = Math.floor(marketNow());
  const currencies = listReleaseCurrencies(instrument);
  const events = ids.flatMap((id) => {
    const event = calendar.find(id)?.event;
    return event !== undefined && currencies.includes(event.currency) && getWholeDay(event) === null ? event : [];
  });
  const times = [...new Set(events.map(({ timeMs }) => timeMs))].filter((timeMs) => timeMs <= nowMs);
  const measured = await moves.read(instrument, times);
  return events.map((event): Reaction => {
    const move = measured[times.indexOf(event.timeMs)] ?? null;
    return {
      id: event.id,
      surprise: withActual ? findSurprise(calendar, event, nowMs) : null,
      move: move && { first: move.first, reach: move.reach },
      isWhole: nowMs > event.timeMs + AROUND_MS + MINUTE_MS,
    };
  });
}

/** The surprise of a release among the earlier ones of its series. */
function findSurprise({ events }: Pick<Runtime["calendar"], "events">, event: CalendarEvent, nowMs: number) {
  const until = listSeries(events, event).filter(({ timeMs }) => timeMs <= Math.min(nowMs, event.timeMs));
  if (until.at(-1)?.timeMs !== event.timeMs) return null;
  return writeSurprise(computeSurprises(until).at(-1) ?? null, until.at(-1)?.actual ?? "");
}

/**
 * Reads the releases of high impact from half an hour ago until an hour from now, by the rules of /v1/calendar/window,
 * each moment with the usual range of its events: the widest, if there are several.
 */
export async function readNextReleases(
  { calendar, marketNow, moves }: ReleaseRuntime,
  instrument: Instrument,
): Promise<NextRelease[]> {
  const nowMs = Math.floor(marketNow());
  const query: NewsQuery = {
    ...{ currencies: listReleaseCurrencies(instrument), impacts: ["high"] },
    // A minute more, as charts are refreshed once a minute.
    ...{ beforeMs: MARK_LEAD_MS + MINUTE_MS, afterMs: AROUND_MS },
  };
  const near = (readNews(calendar.events, query, nowMs).current?.events ?? []).filter(
    ({ timeMs }) => timeMs > nowMs - AROUND_MS && timeMs <= nowMs + query.beforeMs,
  );
  const releases: NextRelease[] = [];
  for (const timeMs of new Set(near.map((event) => event.timeMs))) {
    const events = near.filter((event) => event.timeMs === timeMs);
    const rated = await Promise.all(
      events.map(async (event) => ({ event, usual: await readUsual({ calendar, moves }, instrument, event, nowMs) })),
    );
    rated.sort((a, b) => (b.usual.pips ?? -1) - (a.usual.pips ?? -1) || b.usual.n - a.usual.n);
    const [move] = timeMs <= nowMs ? await moves.read(instrument, [timeMs]) : [];
    releases.push({
      timeMs,
      events: rated.map(({ event: { id, currency, title } }) => ({ id, currency, title })),
      usual: rated[0]?.usual ?? { pips: null, n: 0 },
      reference: move?.reference ?? null,
    });
  }
  return releases;
}

/** The usual reach of the latest releases of an event before it. */
async function readUsual(
  { calendar, moves }: Pick<ReleaseRuntime, "calendar" | "moves">,
  instrument: Instrument,
  event: CalendarEvent,
  nowMs: number,
): Promise<UsualReach> {
  const untilMs = Math.min(event.timeMs - 1, nowMs);
  const earlier = listSeries(calendar.events, event).filter(
    (each) => each.timeMs <= untilMs && getWholeDay(each) === null,
  );
  const times = earlier.slice(-MOST_MOVES).map(({ timeMs }) => timeMs);
  return findUsualReach(await moves.read(instrument, times));
}

/** What a release did to a symbol, as far as it is known. */
export interface Reaction {
  /** The id of the event. */
  readonly id: string;
  /** Null without a figure or a forecast, and on plans without figures. */
  readonly surprise: WrittenSurprise | null;
  /** In pips; null before the release and without stored prices. */
  readonly move: Pick<Move, "first" | "reach"> | null;
  /** Whether all of it has been measured. */
  readonly isWhole: boolean;
}

/** The releases of high impact of one moment. */
export interface NextRelease {
  /** UTC milliseconds. */
  readonly timeMs: number;
  /** At least one. The first is the one that the range is of. */
  readonly events: readonly Pick<CalendarEvent, "id" | "currency" | "title">[];
  /** The usual reach of the latest twelve releases of the event. */
  readonly usual: UsualReach;
  /** The last bid before the release; null until it is released, and without stored prices. */
  readonly reference: number | null;
}
