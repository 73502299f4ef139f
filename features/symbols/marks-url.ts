import type { ChartEvent, ChartMarks, SessionBand } from "@/features/symbols/types";
import { type Layer, LAYERS, readTimeframe } from "@/features/symbols/url";
import type { Account } from "@/lib/access/accounts/account";
import { mayRead } from "@/lib/access/plans";
import { toPips } from "@/lib/api/history/spread-comparison";
import { listReleaseCurrencies } from "@/lib/calendar/read-news";
import { getWholeDay } from "@/lib/calendar/whole-day";
import type { SpreadHistory, SpreadStep } from "@/lib/history/spreads/spread-history";
import { getMean, mergeRollups, NO_SPREADS, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import type { Instrument } from "@/lib/market/instrument";
import { SESSION_NAMES } from "@/lib/market/sessions/session-hours";
import { getBarStart, getUsualBarMs, type Timeframe } from "@/lib/market/timeframe";
import type { Runtime } from "@/lib/runtime";
import { DAY_MS, HOUR_MS, MINUTE_MS, WEEK_MS } from "@/lib/time/units";

/** Reads the query of the marks' data route; null without a span of time. */
export function readMarksRequest(query: URLSearchParams): MarksRequest | null {
  const [fromMs, toMs] = [Number(query.get("from") ?? NaN), Number(query.get("to") ?? NaN)];
  if (!Number.isSafeInteger(fromMs) || !Number.isSafeInteger(toMs) || fromMs < 0 || toMs <= fromMs) return null;
  // The last moment that dates can have.
  if (toMs > 8.64e15) return null;
  const chosen = (query.get("layers") ?? "").split(",");
  return { timeframe: readTimeframe(query), fromMs, toMs, layers: LAYERS.filter((layer) => chosen.includes(layer)) };
}

/**
 * Writes the address of the marks around a shown span. The span is widened to whole weeks and one more on each side, so
 * that the address changes rarely while the view moves.
 */
export function toMarksHref(symbol: string, { timeframe, fromMs, toMs, layers }: MarksRequest): string {
  const query = new URLSearchParams({
    timeframe,
    from: String(Math.max(0, Math.floor(fromMs / WEEK_MS) * WEEK_MS - WEEK_MS)),
    to: String(Math.ceil((toMs + DAY_MS) / WEEK_MS) * WEEK_MS + WEEK_MS),
    layers: layers.join(),
  });
  return `/symbols/${symbol}/marks?${query}`;
}

type MarksRuntime = Pick<Runtime, "calendar" | "history" | "sessions">;

interface MarksRequest {
  readonly timeframe: Timeframe;
  /** UTC milliseconds. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly layers: readonly Layer[];
}

/** Longer spans have too many sessions and events to be legible. */
const MOST_DAYS_OF_SESSIONS = 62;
const MOST_EVENTS = 1_000;

/** Reads what the chart shows around the bars of a span of time, as far as the layers need it and the plan allows it. */
export async function readMarks(
  runtime: MarksRuntime,
  account: Account,
  instrument: Instrument,
  request: MarksRequest,
): Promise<ChartMarks> {
  const { layers, timeframe } = request;
  return {
    bands: layers.includes("sessions") ? readBands(runtime, request) : [],
    events:
      layers.includes("events") && mayRead(account, "calendar")
        ? readEvents(runtime, account, instrument, request)
        : [],
    spreads: layers.includes("spread") ? await readSpreads(runtime.history.spreads, instrument, timeframe) : [],
  };
}

/** The hours of each session. Bars of four hours and more are too long for them. */
function readBands({ sessions }: MarksRuntime, { timeframe, fromMs, toMs }: MarksRequest): SessionBand[] {
  if (getUsualBarMs(timeframe) >= 4 * HOUR_MS) return [];
  const spans = sessions.between(Math.max(fromMs, toMs - MOST_DAYS_OF_SESSIONS * DAY_MS), toMs);
  return SESSION_NAMES.flatMap((name, row) => spans[name].open.map((span) => ({ name, row, ...span })));
}

/** The newest events of the symbol's currencies in the span that have an hour. */
function readEvents(
  { calendar }: Pick<MarksRuntime, "calendar">,
  account: Account,
  instrument: Instrument,
  { fromMs, toMs }: MarksRequest,
): ChartEvent[] {
  const withActual = mayRead(account, "actuals");
  const { shown } = calendar.query({
    fromMs,
    toMs,
    newestFirst: true,
    currencies: new Set(listReleaseCurrencies(instrument)),
    impact: null,
    search: null,
    stream: null,
    offset: 0,
    limit: MOST_EVENTS,
  });
  return shown.flatMap(({ event }) => (getWholeDay(event) === null ? toChartEvent(event, withActual) : []));
}

export function toChartEvent(event: ChartEvent, withActual: boolean): ChartEvent {
  const { id, timeMs, currency, title, impact, forecast, previous, actual } = event;
  return { id, timeMs, currency, title, impact, forecast, previous, actual: withActual ? actual : null };
}

/** The mean spread of each bar in pips over the recorded seconds, for as long as single minutes are stored. */
async function readSpreads(
  history: Pick<SpreadHistory, "readDetail">,
  instrument: Instrument,
  timeframe: Timeframe,
): Promise<ChartMarks["spreads"]> {
  const isShort = getUsualBarMs(timeframe) <= 5 * MINUTE_MS;
  const { steps } = await history.readDetail(instrument.symbol, isShort ? "24h" : "30d", isShort ? 1 : 15);
  return Array.from(mergeByBar(steps, timeframe), ([timeMs, rollup]) => [timeMs, toPips(getMean(rollup), instrument)]);
}

/** Merges steps of time into the bars that contain them, by the bar's opening. */
export function mergeByBar(
  steps: readonly Pick<SpreadStep, "startMs" | "rollup">[],
  timeframe: Timeframe,
): Map<number, SpreadRollup> {
  const rollups = new Map<number, SpreadRollup>();
  for (const { startMs, rollup } of steps) {
    const barMs = getBarStart(timeframe, startMs);
    rollups.set(barMs, mergeRollups(rollups.get(barMs) ?? NO_SPREADS, rollup));
  }
  return rollups;
}
