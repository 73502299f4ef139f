import type { SpreadDetailData, SpreadNumbers, SpreadTableData } from "@/features/spreads/types";
import { type ComparedSpread, compareMeans, compareSources, compareSpread } from "@/lib/api/history/spread-comparison";
import { pointsToPips, rollupInPips } from "@/lib/api/history/spread-pips";
import type { ServedQuote } from "@/lib/book/quote";
import { SESSION_GROUPS, type SessionGroup } from "@/lib/history/spreads/session-groups";
import { getPeriodStart, type SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { getPercentiles, NO_SPREADS } from "@/lib/history/spreads/spread-rollup";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { Runtime } from "@/lib/runtime";
import { MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

type SpreadRuntime = Pick<Runtime, "book" | "history" | "marketNow" | "sessions">;

/**
 * Reads the spreads of several symbols, tightest on average first. Symbols that are not in the catalogue are omitted.
 */
export async function readSpreadTable(
  { book, history, marketNow }: SpreadRuntime,
  symbols: readonly string[],
  period: SpreadPeriod,
): Promise<SpreadTableData> {
  const instruments = symbols.flatMap((symbol) => instrumentBySymbol.get(symbol) ?? []);
  const compared = await Promise.all(
    instruments.map(async (instrument) => {
      const statistics = await history.spreads.readStatistics(instrument.symbol, period);
      const quote = book.served(instrument.symbol);
      return { instrument, quote, ...compareSpread(instrument, statistics?.total ?? NO_SPREADS, quote) };
    }),
  );
  const rows = compared.sort(compareMeans).map(({ instrument, quote, ...spreads }) => {
    return { symbol: instrument.symbol, name: instrument.name, ...toNumbers(spreads, quote) };
  });
  return { nowMs: Math.floor(marketNow()), rows };
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

/** Reads the spreads of one symbol over a period: statistics, steps of time, sessions and sources. */
export async function readSpreadDetail(
  runtime: SpreadRuntime,
  instrument: Instrument,
  period: SpreadPeriod,
): Promise<SpreadDetailData> {
  const { symbol, name } = instrument;
  const { book, history, marketNow } = runtime;
  // An hour has only five quarters.
  const stepMinutes = period === "1h" ? 1 : 15;
  const detail = await history.spreads.readDetail(symbol, period, stepMinutes);
  const sources = await compareSources(instrument, period, runtime);
  const statistics = await history.spreads.readStatistics(symbol, period);
  const nowMs = Math.floor(marketNow());
  const fromMs = getPeriodStart(period, nowMs);
  const pips = (points: number) => pointsToPips(points, instrument);
  const quotes = new Map(book.sources(symbol).map((quote) => [quote.source, quote]));
  const total = statistics === null ? null : rollupInPips(statistics.total, instrument);
  const [p5 = 0, median = 0, p95 = 0] = getPercentiles(detail.histogram, [5, 50, 95]).map(pips);
  const getMean = (group: SessionGroup) =>
    rollupInPips(statistics?.bySession[group] ?? NO_SPREADS, instrument)?.avg ?? null;
  const bySession = { asian: getMean("asian"), london: getMean("london"), new_york: getMean("new_york") };
  return {
    symbol,
    name,
    fromMs,
    nowMs,
    statistics: total && { ...total, p5, median, p95, bySession },
    stepMs: stepMinutes * MINUTE_MS,
    series: detail.steps.map(({ startMs, rollup, p5: low, p95: high }) => {
      const { avg, min, max } = rollupInPips(rollup, instrument) ?? { avg: 0, min: 0, max: 0 };
      return [startMs, avg, pips(low), pips(high), min, max] as const;
    }),
    sessions: SESSION_GROUPS.map((group) => ({ group, spans: getSpans(runtime, group, fromMs, nowMs) })),
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

/** Returns when a group of sessions was open, cut to the period. Overlapping spans of Sydney and Tokyo are joined. */
function getSpans(
  { sessions }: SpreadRuntime,
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
