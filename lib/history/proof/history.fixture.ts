import type { Pool } from "pg";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import type { HeadCopies } from "@/lib/history/proof/verify-history";
import { verifyHistory } from "@/lib/history/proof/verify-history";
import { FIRST_FENCE, journalRows } from "@/lib/history/recording/lease.fixture";
import { instruments } from "@/lib/market/catalog";
import { HOUR_MS } from "@/lib/time/units";

/** A recorded morning, whose proofs are tested. */

/** Friday 13:00 UTC. */
export const START = Date.UTC(2026, 10, 20, 13);

/** Every second minute has ticks in each of its seconds but the last. */
export function createSeconds(symbol: string, hourMs: number, seed: number): SecondRow[] {
  return Array.from({ length: 3_600 }, (_, at) => at)
    .filter((at) => Math.floor(at / 60) % 2 === 0 && at % 60 !== 59)
    .map((at) => {
      const bid = 108_000 + ((at * 7 + seed) % 400);
      const range = { open: bid, high: bid, low: bid };
      return { symbol, digits: 5, second: hourMs / 1000 + at, bid, ask: bid + 11, ...range, updates: 1 };
    });
}

/** Records an hour of some symbols as the server does. */
export async function recordHour(pool: Pool, hourMs: number, symbols: readonly string[]): Promise<void> {
  const keeper = new HistoryKeeper({ pool, instruments, marketNow: () => hourMs + HOUR_MS });
  await journalRows(
    pool,
    symbols.flatMap((symbol, index) => createSeconds(symbol, hourMs, hourMs / HOUR_MS + index)),
  );
  await keeper.restore();
  await keeper.close(hourMs, FIRST_FENCE);
}

export function verify(pool: Pool, copies: readonly HeadCopies[] = [], keptFromMs = 0) {
  return verifyHistory({ pool, symbols: null, fromMs: 0, toMs: Infinity, keptFromMs, copies });
}

/** Empties the tables of recorded ticks and their proofs. */
export async function clearHistory(pool: Pool): Promise<void> {
  const recorded = ["tick_hour", "bar", "bar_memory", "spread_hour", "closed_hour", "import_hour", "import_file"];
  const proofs = ["imported_span", "import_run", "hour_proof", "hour_cause", "history_head"];
  for (const table of [...recorded, ...proofs]) await pool.query(`DELETE FROM ${table}`);
  await pool.query("UPDATE proof_state SET complete = TRUE, noted = 0");
}
