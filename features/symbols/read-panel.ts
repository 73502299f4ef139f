import { toChartEvent } from "@/features/symbols/marks-url";
import type { ChartEvent } from "@/features/symbols/types";
import type { Account } from "@/lib/access/accounts/account";
import { mayRead } from "@/lib/access/plans";
import type { Signal } from "@/lib/analytics/indicators/definition";
import { indicators } from "@/lib/analytics/indicators/registry";
import { rateHeatmap } from "@/lib/analytics/strength/heatmaps";
import { CURRENCIES, type Trend } from "@/lib/analytics/strength/strength";
import type { Summary } from "@/lib/analytics/summary";
import { toPips } from "@/lib/api/history/spread-comparison";
import { getLatestSummary, rateSeries } from "@/lib/api/indicators/latest-values";
import { listReleaseCurrencies } from "@/lib/calendar/read-news";
import { getMean } from "@/lib/history/spreads/spread-rollup";
import type { BarState } from "@/lib/market/expected-bars";
import type { Instrument } from "@/lib/market/instrument";
import { SESSION_NAMES, type SessionName } from "@/lib/market/sessions/session-hours";
import { getBarEnd, type Timeframe } from "@/lib/market/timeframe";
import type { Runtime } from "@/lib/runtime";
import { WEEK_MS } from "@/lib/time/units";

type PanelRuntime = Pick<Runtime, "book" | "calendar" | "heatmaps" | "history" | "marketNow" | "sessions">;

const SHOWN_EVENTS = 5;
/** The strength of a day's trading. */
const STRENGTH_TIMEFRAME = "H1";

/** Reads the figures beside the chart of a symbol. */
export async function readPanel(
  runtime: PanelRuntime,
  account: Account,
  instrument: Instrument,
  timeframe: Timeframe,
): Promise<PanelData> {
  const nowMs = Math.floor(runtime.marketNow());
  const { states } = runtime.sessions.at(nowMs);
  return {
    spread: await readSpreadFigures(runtime, instrument),
    sessions: SESSION_NAMES.map((name) => ({ name, ...states[name] })),
    events: mayRead(account, "calendar") ? readNextEvents(runtime, account, instrument, nowMs) : null,
    strength: await readStrength(runtime, instrument),
    ...(await readSummary(runtime, instrument, timeframe)),
  };
}

/** The figures that the page of spreads has for 24 hours. */
async function readSpreadFigures({ history }: PanelRuntime, instrument: Instrument): Promise<SpreadFigures | null> {
  const [statistics, percentiles] = await Promise.all([
    history.spreads.readStatistics(instrument.symbol, "24h"),
    history.spreads.readPercentiles(instrument.symbol, "24h"),
  ]);
  if (statistics === null || percentiles === null || statistics.total.n === 0) return null;
  const pips = (spread: number) => toPips(spread, instrument);
  return { avg: pips(getMean(statistics.total)), p5: pips(percentiles.p5), p95: pips(percentiles.p95) };
}

function readNextEvents({ calendar }: PanelRuntime, account: Account, instrument: Instrument, nowMs: number) {
  const { shown } = calendar.query({
    fromMs: nowMs,
    toMs: nowMs + WEEK_MS,
    newestFirst: false,
    currencies: new Set(listReleaseCurrencies(instrument)),
    impact: null,
    search: null,
    stream: null,
    offset: 0,
    limit: SHOWN_EVENTS,
  });
  const withActual = mayRead(account, "actuals");
  return shown.map(({ event }) => toChartEvent(event, withActual));
}

async function readStrength({ heatmaps, marketNow }: PanelRuntime, { base, quote }: Instrument) {
  const heatmap = await heatmaps.read(STRENGTH_TIMEFRAME);
  // An outdated strength is shown on its own page only, with its time.
  if (heatmap === null || rateHeatmap(STRENGTH_TIMEFRAME, heatmap.timeMs, marketNow()) === "outdated") return [];
  return [base, quote].flatMap((code) => {
    const currency = CURRENCIES.find((each) => each === code);
    if (currency === undefined) return [];
    const { strength, change, trend } = heatmap.currencies[currency];
    return { currency, strength, change, trend };
  });
}

async function readSummary(
  { book, history, marketNow }: PanelRuntime,
  instrument: Instrument,
  timeframe: Timeframe,
): Promise<Pick<PanelData, "bar" | "summary">> {
  const series = await history.bars.readSeries(instrument.symbol, timeframe);
  const nowMs = marketNow();
  const latest = series.closed.at(-1);
  const state = rateSeries(series, instrument, timeframe, nowMs, indicators);
  const bar = latest === undefined || state === null ? null : { closedMs: getBarEnd(timeframe, latest.timeMs), state };
  const bid = book.served(instrument.symbol)?.bid;
  const summary = bid === undefined ? null : getLatestSummary(series, instrument, timeframe, { bid, atMs: nowMs });
  return { bar, summary: summary && toFigures(summary, timeframe) };
}

function toFigures(summary: Summary, timeframe: Timeframe): SummaryFigures {
  return {
    timeframe,
    bias: summary.bias,
    isStrong: summary.biasStrength === "strong",
    confidencePercent: Math.round(100 * summary.confidence),
    trendScore: Math.round(summary.trendScore),
    momentumScore: Math.round(summary.momentumScore),
    resistance: summary.keyLevels.resistance,
    support: summary.keyLevels.support,
  };
}

/** The figures beside the chart of a symbol. */
export interface PanelData {
  /** The spreads of the last 24 hours in pips; null without a recorded second. */
  readonly spread: SpreadFigures | null;
  readonly sessions: readonly SessionState[];
  /** Null if the account's plan does not include the calendar. */
  readonly events: readonly ChartEvent[] | null;
  /** The strength of the base and of the quote currency, as far as they are among the eight majors. */
  readonly strength: readonly StrengthFigure[];
  /** The latest closed bar of the summary's timeframe; null before the first. `closedMs` in UTC milliseconds. */
  readonly bar: { readonly closedMs: number; readonly state: BarState } | null;
  /** Null with too few bars, with outdated ones, or without a quote. */
  readonly summary: SummaryFigures | null;
}

export interface SpreadFigures {
  readonly avg: number;
  readonly p5: number;
  readonly p95: number;
}

export interface SessionState {
  readonly name: SessionName;
  readonly isOpen: boolean;
  /** When it closes or opens next: UTC milliseconds. */
  readonly changesAtMs: number;
}

export interface StrengthFigure {
  readonly currency: string;
  /** 0 to 10. */
  readonly strength: number;
  readonly change: number;
  readonly trend: Trend;
}

export interface SummaryFigures {
  readonly timeframe: Timeframe;
  readonly bias: Signal;
  readonly isStrong: boolean;
  readonly confidencePercent: number;
  readonly trendScore: number;
  readonly momentumScore: number;
  readonly resistance: readonly number[];
  readonly support: readonly number[];
}
