import { currencyPairs } from "@/lib/analytics/strength/strength";
import { createSimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import { addBars } from "@/lib/history/backfill/fill-symbol";
import { readPastBars } from "@/lib/history/backfill/zones";
import { instruments } from "@/lib/market/catalog";
import { loadConfig } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import { HOUR_MS, MINUTE_MS, WEEK_MS } from "@/lib/time/units";

/** The strength of a currency compares 12 weeks with the 52 weeks before them. */
const BACK_MS = 80 * WEEK_MS;
/** It quotes all pairs. */
const SOURCE = "alpha-markets";
const STEP_MS = 5 * MINUTE_MS;
const TIMEFRAMES = ["H1", "H4", "D1", "W1"] as const;

/**
 * Stores the bars of currency pairs from which strength is computed, with a price every five minutes at most. For its
 * whole past of a pair, a server computes five times as many prices, and stores ticks and spreads as well.
 *
 * @param others symbols to leave out
 */
export async function fillPairs({ pool }: Database, others: readonly string[], nowMs: number): Promise<void> {
  const { seed, hours } = loadConfig({}).simulated;
  const feed = createSimulatedFeed({ seed, hours, instruments, now: () => nowMs });
  const endMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS;
  const pairs = new Set(currencyPairs.map(({ symbol }) => symbol));
  const client = await pool.connect();
  try {
    for (const instrument of instruments.filter(({ symbol }) => pairs.has(symbol) && !others.includes(symbol))) {
      const read = (fromMs: number, toMs: number, stepMs: number) =>
        feed.history(instrument.symbol, SOURCE, fromMs, toMs, Math.max(stepMs, STEP_MS));
      const bars = readPastBars(read, { endMs, sinceMs: endMs - BACK_MS });
      for (const timeframe of TIMEFRAMES) await addBars(client, instrument, timeframe, bars[timeframe]);
    }
  } finally {
    client.release();
  }
}
