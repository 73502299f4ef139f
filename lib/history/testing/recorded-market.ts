import type { SecondRow } from "@/lib/history/hour-columns";
import { instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

/** The prices that recorders in processes of their own receive: the same in each, whenever it starts. */

/** Seconds of market time in a second: its hours pass in one. */
export const MARKET_SPEED = 3_600;
const SYMBOLS = instruments.slice(0, 5);
/** Each symbol ticks once, twice or three times in one of this many seconds. */
const PACE_SECONDS = 10;
const SPREAD_POINTS = 9;

interface Tick {
  readonly instrument: Instrument;
  readonly bid: number;
  readonly ask: number;
  readonly timeMs: number;
}

/** The ticks of a second of market time, in their order. */
export function listTicks(second: number): Tick[] {
  return SYMBOLS.flatMap((instrument, at) => {
    const scale = 10 ** instrument.digits;
    return listBids(second, at).map((bid, update) => ({
      instrument,
      bid: bid / scale,
      ask: (bid + SPREAD_POINTS) / scale,
      timeMs: second * 1_000 + update,
    }));
  });
}

/** The rows that a recorder stores of a second of market time. */
export function listRows(second: number): SecondRow[] {
  return SYMBOLS.flatMap(({ symbol, digits }, at) => {
    const bids = listBids(second, at);
    const [open] = bids;
    const bid = bids.at(-1);
    if (open === undefined || bid === undefined) return [];
    const range = { open, high: Math.max(...bids), low: Math.min(...bids) };
    return [{ symbol, digits, second, bid, ask: bid + SPREAD_POINTS, ...range, updates: bids.length }];
  });
}

/** The bids of a symbol in a second, in points. */
function listBids(second: number, at: number): number[] {
  if ((second + at) % PACE_SECONDS !== 0) return [];
  return Array.from({ length: 1 + (second % 3) }, (_, update) => 100_000 + ((second * 31 + update * 17 + at) % 997));
}
