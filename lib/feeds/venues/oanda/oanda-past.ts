import { setTimeout } from "node:timers/promises";
import type { FetchPast, PastPrice } from "@/lib/feeds/feed";
import { VenueError } from "@/lib/feeds/live/connector";
import { readPrice, readTime } from "@/lib/feeds/live/read-json";
import type { OandaApi } from "@/lib/feeds/venues/oanda/oanda-api";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/** The venue's shortest candle. */
const STEP_MS = 5 * SECOND_MS;
const MAX_CANDLES = 5_000;
/** How often a request for a page is repeated while the venue is busy. */
const MAX_ATTEMPTS = 5;

/**
 * Returns a function that fetches past prices: the last bid and ask of every five seconds in which the venue sent a
 * price. Candles that are not complete are left out.
 */
export function createOandaPast(api: OandaApi, now: Clock): FetchPast {
  let names: readonly string[] | null = null;

  async function findName(symbol: string, signal: AbortSignal): Promise<string | undefined> {
    names ??= await api.listInstruments(signal);
    return names.includes(symbol) ? symbol : names.find((name) => catalogResolver.find(name)?.symbol === symbol);
  }

  return async function* fetchPast(symbol, fromMs, toMs, signal) {
    const name = await findName(symbol, signal);
    if (name === undefined) return;
    let nextMs = Math.ceil(fromMs / STEP_MS) * STEP_MS;
    // The venue refuses times that have not come yet.
    const endMs = Math.min(toMs, now());
    while (nextMs < endMs) {
      const count = Math.min(MAX_CANDLES, Math.ceil((endMs - nextMs) / STEP_MS));
      const from = nextMs;
      const candles = await askPatiently(() => api.listCandles(name, from, count, signal), signal);
      for (const candle of candles) {
        const price = readCandle(candle);
        if (price === null || price.timeMs < nextMs) continue;
        if (price.timeMs >= endMs) return;
        nextMs = price.timeMs + STEP_MS;
        yield price;
      }
      // Fewer than requested: these were the newest. A page without anything new would come again for ever.
      if (candles.length < count || nextMs === from) return;
    }
  };
}

function readCandle({ time, bid, ask, volume, complete }: Readonly<Record<string, unknown>>): PastPrice | null {
  const timeMs = readTime(time);
  if (timeMs === null || complete !== true) return null;
  const readClose = (side: unknown) => readPrice((side as { c?: unknown } | null | undefined)?.c);
  return { timeMs, bid: readClose(bid), ask: readClose(ask), updates: Number(volume) };
}

async function askPatiently<Answer>(ask: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      const isBusy = error instanceof VenueError && error.status === 429;
      if (!isBusy || attempt === MAX_ATTEMPTS) throw error;
      await setTimeout(Math.max(error.retryAfterMs, SECOND_MS), undefined, { signal });
    }
  }
}
