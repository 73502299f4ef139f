import { Heatmaps } from "@/lib/analytics/strength/heatmaps";
import { PastCalendars, type WholePastCalendar } from "@/lib/calendar/past-calendar";
import { Moves } from "@/lib/calendar/reaction";
import type { History } from "@/lib/history/history";
import { RecentValues } from "@/lib/platform/recent-values";
import type { Past, Runtime, StartedRuntime } from "@/lib/runtime";
import { SECOND_MS } from "@/lib/time/units";

/** Services without prices and events. */
const OF_THE_PRESENT = [
  "config",
  "log",
  "now",
  "stopping",
  "isStale",
  "url",
  "publicUrl",
  "accountSessions",
  "changeLimits",
  "keys",
  "notices",
  "alerts",
  "counters",
  "quoteLists",
  "drawings",
  "screens",
  "linkTokens",
  "instruments",
  "resolver",
  "sessions",
  "listSources",
] as const satisfies readonly (keyof StartedRuntime)[];

/** Seconds in memory. A page reads its parts with several requests. */
const MOST_SECONDS = 8;

/** How long what was read of a second stays valid: prices of the past are imported and merged at times. */
const VALID_MS = 30 * SECOND_MS;

/** Returns what reads a second that has passed for pages: UTC milliseconds. */
export function createPast(runtime: StartedRuntime): Runtime["openPast"] {
  const calendars = new PastCalendars(runtime.database.pool, runtime.calendar);
  const seconds = new RecentValues<number, { readonly readAtMs: number; readonly past: Promise<Past> }>(
    MOST_SECONDS,
    () => 1,
  );
  return (atMs) => {
    const known = seconds.get(atMs);
    const nowMs = runtime.now();
    if (known !== undefined && Math.abs(nowMs - known.readAtMs) < VALID_MS) return known.past;
    const past = readPast(runtime, calendars, atMs);
    seconds.keep(atMs, { readAtMs: nowMs, past });
    past.then(
      // The newest second is recorded a moment later.
      ({ missing }) => missing.prices !== null && seconds.clear(),
      () => seconds.clear(),
    );
    return past;
  };
}

async function readPast(runtime: StartedRuntime, calendars: PastCalendars, atMs: number): Promise<Past> {
  const { asOf, instruments } = runtime;
  const [market, events] = await Promise.all([
    asOf.open(
      atMs,
      instruments.map(({ symbol }) => symbol),
    ),
    calendars.open(atMs),
  ]);
  const hasEvents = events !== null && typeof events === "object";
  const history = asOf.readHistory(atMs);
  // No stream brings the days to a page that lacks them.
  await history.days.load();
  const present = Object.fromEntries(OF_THE_PRESENT.map((name) => [name, runtime[name]]));
  const past = {
    marketNow: () => atMs,
    history: history as unknown as History,
    quality: runtime.quality.at(atMs),
    readTapes: (instrument, range) =>
      runtime.readTapes(instrument, { ...range, toMs: Math.min(range.toMs, atMs), nowMs: atMs }),
    readKeptTimes: (instrument, range) =>
      runtime.readKeptTimes(instrument, { ...range, toMs: Math.min(range.toMs, atMs), nowMs: atMs }),
    book: "book" in market ? market.book : NO_BOOK,
    heatmaps: new Heatmaps(history.bars),
    moves: new Moves({ history, now: () => atMs }),
    calendar: (hasEvents ? events : NO_EVENTS) as Runtime["calendar"],
  } satisfies Partial<Runtime>;
  return {
    runtime: { ...present, ...past } as unknown as Runtime,
    missing: {
      prices: "book" in market ? null : market,
      events: hasEvents ? null : { beforeMs: null, afterMs: events },
    },
  };
}

const NO_BOOK = {
  served: () => undefined,
  servedFrom: () => undefined,
  sources: () => [],
} as unknown as Runtime["book"];

const NO_EVENTS: WholePastCalendar = {
  events: [],
  revision: 0,
  query: () => ({ shown: [], total: 0, hasMore: false }),
  find: () => undefined,
  readChanges: async () => new Map(),
  readSeriesAbout: async () => null,
};
