import type { Category, TradingHours } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** When a connection that has heartbeats but no prices is dropped. */
export interface PriceWatch {
  /** It is dropped after this long without a price, in milliseconds, */
  readonly silenceMs: number;
  /** if prices were expected all the time. */
  readonly areExpected: () => boolean;
}

interface Options {
  /** What the source is subscribed to. */
  readonly instruments: readonly { readonly category: Category; readonly tradingHours: TradingHours }[];
  /** When the source trades, if not at the hours of its instruments. */
  readonly hours: TradingHours | null;
  /** Its usual prices a second; null if unknown. */
  readonly expectedRate: number | null;
  readonly now: Clock;
}

const CRYPTO_SILENCE_MS = MINUTE_MS;
const SILENCE_MS = 3 * MINUTE_MS;
/** In quiet hours there are far fewer prices than usual: a silence this many times the usual interval is a fault. */
const MISSED_PRICES = 60;
const SHORTEST_SILENCE_MS = 30 * SECOND_MS;

/** Creates the watch of one source. Without any known instrument there is none. */
export function createPriceWatch({ instruments, hours, expectedRate, now }: Options): PriceWatch | undefined {
  if (instruments.length === 0) return undefined;
  const markets = hours === null ? [...new Set(instruments.map(({ tradingHours }) => tradingHours))] : [hours];
  const usualMs = instruments.every(({ category }) => category === "crypto") ? CRYPTO_SILENCE_MS : SILENCE_MS;
  const silenceMs =
    expectedRate === null
      ? usualMs
      : Math.max(SHORTEST_SILENCE_MS, Math.ceil((MISSED_PRICES * SECOND_MS) / expectedRate));
  // A market that has only just opened need not have had a price.
  const areExpected = () => {
    const nowMs = now();
    return markets.some((market) => isMarketOpen(market, nowMs - silenceMs) && isMarketOpen(market, nowMs));
  };
  return { silenceMs, areExpected };
}
