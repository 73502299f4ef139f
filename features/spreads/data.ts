import type {
  SpreadDetailData,
  SpreadLine,
  SpreadLinesData,
  SpreadNumbers,
  SpreadRow,
  SpreadTableData,
  SpreadWeekData,
} from "@/features/spreads/types";
import { getLines, readView, type SpreadSort, type SpreadsView } from "@/features/spreads/url";
import {
  type ComparedSpread,
  compareSources,
  compareSpread,
  rollupInPips,
  toPips,
} from "@/lib/api/history/spread-comparison";
import type { ServedQuote } from "@/lib/book/quote";
import { DRAWN_STEPS } from "@/lib/history/spreads/spread-history";
import {
  getPeriodStart,
  SESSION_GROUPS,
  type SessionGroup,
  type SpreadPeriod,
} from "@/lib/history/spreads/spread-period";
import { NO_SPREADS } from "@/lib/history/spreads/spread-rollup";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { Runtime } from "@/lib/runtime";
import { MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

type SpreadRuntime = Pick<Runtime, "book" | "history" | "marketNow" | "sessions">;

/** Reads the spreads of several symbols. Symbols that are not in the catalogue are omitted. */
export async function readSpreadTable(
  { book, history, marketNow }: SpreadRuntime,
  { symbols, period, sort }: Pick<SpreadsView, "symbols" | "period" | "sort">,
): Promise<SpreadTableData> {
  const instruments = symbols.flatMap((symbol) => instrumentBySymbol.get(symbol) ?? []);
  const rows = await Promise.all(
    instruments.map(async (instrument) => {
      const { symbol, name } = instrument;
      const statistics = await history.spreads.readStatistics(symbol, period);
      const percentiles = await history.spreads.readPercentiles(symbol, period);
      const quote = book.served(symbol);
      const pips = (spread: number | undefined) => (spread === undefined ? null : toPips(spread, instrument));
      return {
        symbol,
        name,
        ...toNumbers(compareSpread(instrument, statistics?.total ?? NO_SPREADS, quote), quote),
        p5: pips(percentiles?.p5),
        median: pips(percentiles?.p50),
        p95: pips(percentiles?.p95),
      };
    }),
  );
  return { nowMs: Math.floor(marketNow()), rows: sortRows(rows, sort) };
}

function toNumbers({ avg_pips, min_pips, max_pips }: ComparedSpread, quote: ServedQuote | undefined): SpreadNumbers {
  return {
    current: quote?.spreadPips ?? null,
    state: quote?.state ?? null,
    avg: avg_pips,
    min: min_pips,
    max: max_pips,
  };
}

/** Reads the spreads of one symbol over a period: statistics, sessions and sources. */
export async function readSpreadDetail(
  { book, history, marketNow }: SpreadRuntime,
  instrument: Instrument,
  period: SpreadPeriod,
): Promise<SpreadDetailData> {
  const { symbol, name } = instrument;
  const detail = await history.spreads.readDetail(symbol, period, DRAWN_STEPS[period]);
  const sources = await compareSources(instrument, period, { book, history });
  const statistics = await history.spreads.readStatistics(symbol, period);
  const percentiles = await history.spreads.readPercentiles(symbol, period);
  const quotes = new Map(book.sources(symbol).map((quote) => [quote.source, quote]));
  const total = statistics === null ? null : rollupInPips(statistics.total, instrument);
  const pips = (spread: number) => toPips(spread, instrument);
  const getMean = (group: SessionGroup) =>
    rollupInPips(statistics?.bySession[group] ?? NO_SPREADS, instrument)?.avg ?? null;
  const bySession = { asian: getMean("asian"), london: getMean("london"), new_york: getMean("new_york") };
  return {
    symbol,
    name,
    nowMs: Math.floor(marketNow()),
    // The percentiles are up to a minute older, so the first seconds of a symbol have none.
    statistics: total &&
      percentiles && {
        ...total,
        p5: pips(percentiles.p5),
        median: pips(percentiles.p50),
        p95: pips(percentiles.p95),
        bySession,
      },
    sources: sources.map(({ source, since, ...spreads }) => ({
      source,
      sinceMs: findLateStart(since === null ? undefined : Date.parse(since), detail.steps[0]?.startMs),
      ...toNumbers(spreads, quotes.get(source)),
    })),
  };
}

/**
 * Returns when a source's own spreads begin, if that is later than the served ones of the period; else null. Up to a
 * quarter of an hour is no difference.
 */
export function findLateStart(sourceMs: number | undefined, servedMs: number | undefined): number | null {
  if (sourceMs === undefined || servedMs === undefined) return null;
  return sourceMs - servedMs > QUARTER_HOUR_MS ? sourceMs : null;
}

/** Reads the usual spreads of one symbol by weekday and hour of a zone, of the last 30 days. */
export async function readSpreadWeek(
  { history }: Pick<SpreadRuntime, "history">,
  instrument: Instrument,
  zone: string,
): Promise<SpreadWeekData> {
  const { cells } = await history.spreads.readWeek(instrument.symbol, zone);
  const pips = (spread: number | null) => (spread === null ? null : toPips(spread, instrument));
  return { cells: cells.map((hours) => hours.map(pips)) };
}

/** Sorts rows by one column, the lowest first. Rows without a value are last; equal ones keep their order. */
export function sortRows(rows: readonly SpreadRow[], sort: SpreadSort): SpreadRow[] {
  if (sort === "symbol") return [...rows].sort((one, other) => one.symbol.localeCompare(other.symbol));
  return [...rows].sort((one, other) => (one[sort] ?? Infinity) - (other[sort] ?? Infinity) || 0);
}

/** Reads the lines of the chart: the mean spread of each step. A source that never quoted the symbol has no points. */
export async function readSpreadLines(runtime: SpreadRuntime, view: SpreadsView): Promise<SpreadLinesData> {
  const { period } = view;
  const lines = await Promise.all(getLines(view).map((key) => readLine(runtime, key, period)));
  const nowMs = Math.floor(runtime.marketNow());
  const fromMs = getPeriodStart(period, nowMs);
  return {
    fromMs,
    nowMs,
    stepMs: DRAWN_STEPS[period] * MINUTE_MS,
    lines,
    sessions: SESSION_GROUPS.map((group) => ({ group, spans: getSpans(runtime, group, fromMs, nowMs) })),
  };
}

async function readLine({ history }: SpreadRuntime, key: string, period: SpreadPeriod): Promise<SpreadLine> {
  const [symbol = "", ...rest] = key.split(":");
  const instrument = instrumentBySymbol.get(symbol);
  if (instrument === undefined) return { key, points: [] };
  const stepMinutes = DRAWN_STEPS[period];
  const source = rest.join(":");
  if (source === "") {
    const { steps } = await history.spreads.readDetail(symbol, period, stepMinutes);
    const pips = (spread: number) => toPips(spread, instrument);
    return {
      key,
      points: steps.map(({ startMs, rollup, p5, p95 }) => {
        return [startMs, rollupInPips(rollup, instrument)?.avg ?? 0, pips(p5), pips(p95)];
      }),
    };
  }
  const sources = await history.spreads.readSourceSteps(symbol, period, stepMinutes);
  const steps = sources.find((each) => each.source === source)?.steps ?? [];
  return {
    key,
    points: steps.map(({ startMs, rollup }) => [startMs, rollupInPips(rollup, instrument)?.avg ?? 0, null, null]),
  };
}

/** Returns when a group of sessions was open, cut to the period. Overlapping spans of Sydney and Tokyo are joined. */
function getSpans(
  { sessions }: Pick<SpreadRuntime, "sessions">,
  group: SessionGroup,
  fromMs: number,
  untilMs: number,
): [number, number][] {
  const between = sessions.between(fromMs, untilMs);
  const weeks = group === "asian" ? [between.sydney, between.tokyo] : [between[group]];
  const spans = weeks
    .flatMap(({ open }) => open)
    .map((span): [number, number] => [Math.max(span.fromMs, fromMs), Math.min(span.untilMs, untilMs)])
    .sort(([one], [other]) => one - other);
  const joined: [number, number][] = [];
  for (const span of spans) {
    const last = joined.at(-1);
    if (last !== undefined && span[0] <= last[1]) last[1] = Math.max(last[1], span[1]);
    else joined.push(span);
  }
  return joined;
}

/** Reads the lines that the page's query names. */
export function readLinesOf(runtime: Runtime, query: URLSearchParams): Promise<SpreadLinesData> {
  const view = readView(Object.fromEntries(query), (spelling) => runtime.resolver.find(spelling)?.symbol);
  return readSpreadLines(runtime, view);
}
