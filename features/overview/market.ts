import type { MarketSummary, Mover, OverviewData, WideSpread } from "@/features/overview/types";
import type { BoardRow } from "@/features/quotes/types";
import { computeDayChange } from "@/lib/market/day-change";
import { formatSentPrice } from "@/lib/market/price";

const SHOWN_MOVERS = 5;
const SHOWN_SPREADS = 6;

/**
 * Summarises the newest rows. `usual`: the 95th percentile of each symbol's spread in pips, as far as it is known.
 * `digits`: the decimals of each symbol's prices, from the server, because the catalogue is long for a browser.
 */
export function summariseMarket(
  rows: Iterable<BoardRow>,
  { usual, digits }: Pick<OverviewData, "usual" | "digits">,
): MarketSummary {
  const moving = [...rows].filter(({ state }) => state === "live" || state === "delayed");
  const movers = moving
    .flatMap((row) => toMover(row, digits[row.symbol]))
    .sort((a, b) => b.percent - a.percent || compare(a.symbol, b.symbol));
  const wide = moving
    .flatMap((row) => toWideSpread(row, usual?.[row.symbol]))
    .sort((a, b) => b.pips / b.usual - a.pips / a.usual || compare(a.symbol, b.symbol));
  return {
    rising: movers.filter(({ percent }) => percent > 0).slice(0, SHOWN_MOVERS),
    falling: movers
      .filter(({ percent }) => percent < 0)
      .slice(-SHOWN_MOVERS)
      .reverse(),
    wide: wide.slice(0, SHOWN_SPREADS),
    wideCount: wide.length,
    moving: moving.length,
  };
}

function toMover({ symbol, bid, day }: BoardRow, digits: number | undefined): Mover[] {
  if (day === null || digits === undefined) return [];
  return [{ symbol, bid: formatSentPrice(bid, digits), percent: computeDayChange(day, bid, digits).percent }];
}

/** A symbol whose usual spread is 0 has none to compare with. */
function toWideSpread({ symbol, spreadPips }: BoardRow, usual: number | undefined): WideSpread[] {
  return usual !== undefined && usual > 0 && spreadPips > usual ? [{ symbol, pips: spreadPips, usual }] : [];
}

const compare = (a: string, b: string): number => (a < b ? -1 : 1);
