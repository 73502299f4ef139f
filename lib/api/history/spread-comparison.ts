import type { Services } from "@/lib/api/engine/services";
import type { ServedQuote } from "@/lib/book/quote";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { getDeviation, getMean, NO_SPREADS, type SpreadRollup } from "@/lib/history/spreads/spread-rollup";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice, toPrice } from "@/lib/market/price";

/** An entry of `/v1/spread/compare`, in pips. */
export type ComparedSpread = ReturnType<typeof compareSpread>;

/** Computes the entry of a symbol, or of one source of it. `instrument` is null for an unknown symbol. */
export function compareSpread(instrument: Instrument | null, rollup: SpreadRollup, quote: ServedQuote | undefined) {
  const isLive = quote?.state === "live" || quote?.state === "delayed";
  const pips = instrument === null ? null : rollupInPips(rollup, instrument);
  return {
    current_pips: isLive ? quote.spreadPips : null,
    avg_pips: pips?.avg ?? null,
    min_pips: pips?.min ?? null,
    max_pips: pips?.max ?? null,
    has_live_data: isLive,
  };
}

/** Orders entries by their mean, tightest first. Equal ones stay in their order, and those without a mean are last. */
export function compareMeans(one: ComparedSpread, other: ComparedSpread): number {
  return (one.avg_pips ?? Infinity) - (other.avg_pips ?? Infinity) || 0;
}

export interface SourceSpread extends ComparedSpread {
  readonly source: string;
  /** When the first minute that its figures count began, as an ISO time; null without one in the period. */
  readonly since: string | null;
}

/** Compares all sources that quote the symbol now or did in the period, tightest first. */
export async function compareSources(
  instrument: Instrument,
  period: SpreadPeriod,
  { book, history }: Pick<Services, "book" | "history">,
): Promise<SourceSpread[]> {
  const { symbol } = instrument;
  const recorded = await history.spreads.readBySource(symbol, period);
  const rollups = new Map(recorded.map((found) => [found.source, found]));
  const quotes = new Map(book.sources(symbol).map((quote) => [quote.source, quote]));
  return Array.from(new Set([...quotes.keys(), ...rollups.keys()]), (source) => {
    const { rollup, sinceMs } = rollups.get(source) ?? { rollup: NO_SPREADS, sinceMs: null };
    const since = sinceMs === null ? null : new Date(sinceMs).toISOString();
    return { source, since, ...compareSpread(instrument, rollup, quotes.get(source)) };
  }).sort(compareMeans);
}

/** Decimals of statistics. Current spreads have as many as a point of the symbol needs. */
const DECIMALS = 2;

/** Converts a spread from price units to pips with two decimals. */
export function toPips(spread: number, { pipSize }: Pick<Instrument, "pipSize">): number {
  return roundPrice(spread / pipSize, DECIMALS);
}

/** Computes the mean, minimum, maximum and standard deviation of a roll-up in pips; null without a sample. */
export function rollupInPips(rollup: SpreadRollup, instrument: Pick<Instrument, "pipSize">) {
  if (rollup.n === 0) return null;
  const pips = (spread: number) => toPips(spread, instrument);
  return {
    avg: pips(getMean(rollup)),
    min: pips(toPrice(rollup.min, rollup.digits)),
    max: pips(toPrice(rollup.max, rollup.digits)),
    deviation: pips(getDeviation(rollup)),
  };
}
