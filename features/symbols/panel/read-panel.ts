import { toChartEvent } from "@/features/symbols/chart/read-marks";
import type { PanelData, SpreadFigures, SummaryFigures } from "@/features/symbols/panel/panel-types";
import type { Account } from "@/lib/access/accounts/account";
import { mayRead } from "@/lib/access/plans";
import { CURRENCIES } from "@/lib/analytics/strength/strength";
import { pointsToPips } from "@/lib/api/history/spread-comparison";
import { getLatestSummary } from "@/lib/api/indicators/latest-values";
import { getMean } from "@/lib/history/spreads/spread-rollup";
import type { Instrument } from "@/lib/market/instrument";
import { SESSION_NAMES } from "@/lib/market/sessions/session-hours";
import type { Timeframe } from "@/lib/market/timeframe";
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
    summary: await readSummary(runtime, instrument, timeframe),
  };
}

/** The figures that the page of spreads has for 24 hours. */
async function readSpreadFigures({ history }: PanelRuntime, instrument: Instrument): Promise<SpreadFigures | null> {
  const [statistics, percentiles] = await Promise.all([
    history.spreads.readStatistics(instrument.symbol, "24h"),
    history.spreads.readPercentiles(instrument.symbol, "24h"),
  ]);
  if (statistics === null || percentiles === null || statistics.total.n === 0) return null;
  const toPips = (points: number) => pointsToPips(points, instrument);
  return { avg: toPips(getMean(statistics.total)), p5: toPips(percentiles.p5), p95: toPips(percentiles.p95) };
}

function readNextEvents({ calendar }: PanelRuntime, account: Account, { base, quote }: Instrument, nowMs: number) {
  const { shown } = calendar.query({
    fromMs: nowMs,
    toMs: nowMs + WEEK_MS,
    newestFirst: false,
    currencies: new Set([base, quote].flatMap((code) => code ?? [])),
    impact: null,
    search: null,
    stream: null,
    offset: 0,
    limit: SHOWN_EVENTS,
  });
  const withActual = mayRead(account, "actuals");
  return shown.map(({ event }) => toChartEvent(event, withActual));
}

async function readStrength({ heatmaps }: PanelRuntime, { base, quote }: Instrument) {
  const heatmap = await heatmaps.read(STRENGTH_TIMEFRAME);
  if (heatmap === null) return [];
  return [base, quote].flatMap((code) => {
    const currency = CURRENCIES.find((each) => each === code);
    if (currency === undefined) return [];
    const { strength, change, trend } = heatmap.currencies[currency];
    return { currency, strength, change, trend };
  });
}

async function readSummary(
  { book, history }: PanelRuntime,
  instrument: Instrument,
  timeframe: Timeframe,
): Promise<SummaryFigures | null> {
  const series = await history.bars.readSeries(instrument.symbol, timeframe);
  const bid = book.served(instrument.symbol)?.bid;
  const summary = bid === undefined ? null : getLatestSummary(series, instrument, timeframe, bid);
  if (summary === null) return null;
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
