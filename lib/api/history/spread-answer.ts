import type { Handled } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import { memoizeByIdentity } from "@/lib/api/engine/memo";
import type { Services } from "@/lib/api/engine/services";
import { pointsToPips, rollupInPips } from "@/lib/api/history/spread-pips";
import { findQuote, formatFigureHeaders } from "@/lib/api/quotes/quote-lookup";
import type { ServedQuote } from "@/lib/book/quote";
import type { SpreadDetail } from "@/lib/history/spreads/spread-history";
import type { SpreadPeriod } from "@/lib/history/spreads/spread-period";
import { getPercentiles } from "@/lib/history/spreads/spread-rollup";
import type { SpreadStatistics } from "@/lib/history/spreads/spread-statistics";
import type { Instrument } from "@/lib/market/instrument";

/** What an answer is written from; `detail` is undefined if it was not requested. */
interface SpreadAnswerInput {
  readonly instrument: Instrument;
  readonly period: SpreadPeriod;
  readonly statistics: SpreadStatistics | null;
  readonly detail: SpreadDetail | undefined;
  readonly query: { readonly include?: "percentiles" | undefined; readonly series?: "15m" | undefined };
  readonly services: Services;
}

/** Writes the answer. Throws DATA_NOT_FOUND without statistics, or without a quote. */
export function answerSpread(found: SpreadAnswerInput): Handled {
  const { instrument, period, statistics, detail, query, services } = found;
  const { symbol } = instrument;
  const quote = findQuote(instrument, undefined, services.book);
  if (statistics === null) {
    throw new ApiError("DATA_NOT_FOUND", `No spread of ${symbol} was recorded in the last ${period}.`);
  }
  const headers = formatFigureHeaders(quote, services.marketNow(), services.origins);
  const figures = formatStatistics(statistics, found);
  const extra = detail === undefined ? "" : formatDetail(detail, query, instrument);
  const body = `{"success":true,"data":{"symbol":"${symbol}","current":${formatCurrent(quote, instrument)},${figures}${extra}}}`;
  return { body, headers, isAscii: true };
}

function formatCurrent({ spread: inPrice, spreadPips }: ServedQuote, { digits }: Instrument): string {
  return `{"spread_pips":${spreadPips},"spread_points":${Math.round(inPrice * 10 ** digits)}}`;
}

type Subject = Pick<SpreadAnswerInput, "period" | "instrument">;

/** Formats statistics once: they are the same object until more is recorded. */
const formatStatistics = memoizeByIdentity(
  ({ total, bySession }: SpreadStatistics, { period, instrument }: Subject) => {
    const pips = rollupInPips(total, instrument);
    const mean = (rollup: typeof total) => rollupInPips(rollup, instrument)?.avg ?? null;
    const fields = {
      statistics: {
        period,
        avg_spread: pips?.avg,
        min_spread: pips?.min,
        max_spread: pips?.max,
        std_deviation: pips?.deviation,
      },
      by_session: {
        asian: mean(bySession.asian),
        london: mean(bySession.london),
        new_york: mean(bySession.new_york),
      },
    };
    return JSON.stringify(fields).slice(1, -1);
  },
);

const PERCENTS = [5, 25, 50, 75, 95] as const;

function formatDetail(
  { histogram, steps }: SpreadDetail,
  query: SpreadAnswerInput["query"],
  instrument: Instrument,
): string {
  const pips = (points: number) => pointsToPips(points, instrument);
  const fields: Record<string, unknown> = {};
  if (query.include !== undefined) {
    const percentiles = getPercentiles(histogram, PERCENTS);
    fields.percentiles = Object.fromEntries(
      PERCENTS.map((percent, at) => [`p${percent}`, pips(percentiles[at] as number)]),
    );
  }
  if (query.series !== undefined) {
    fields.series = steps.map(({ startMs, rollup, p5, p95 }) => {
      const { avg, min, max } = rollupInPips(rollup, instrument) ?? {};
      return { time: new Date(startMs).toISOString(), avg, min, max, p5: pips(p5), p95: pips(p95) };
    });
  }
  return `,${JSON.stringify(fields).slice(1, -1)}`;
}
