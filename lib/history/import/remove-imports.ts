import type { Pool } from "pg";
import { inTransaction } from "@/lib/history/hour-store";
import { composeHour } from "@/lib/history/import/compose-hour";
import { RECORDED } from "@/lib/history/import/hour-parts";
import { query, readParts, unpackParts } from "@/lib/history/import/import-rows";
import { lockClosedHours, raiseImports } from "@/lib/history/import/store-batch";
import { writeHours } from "@/lib/history/import/write-hours";
import type { Instrument } from "@/lib/market/instrument";
import { HOUR_MS } from "@/lib/time/units";

const HOURS_PER_TRANSACTION = 48;

interface Options {
  readonly instrument: Pick<Instrument, "symbol" | "digits">;
  readonly source: string;
  readonly priority: readonly string[];
  readonly spreadsFromMs: number;
}

/** The symbols that a source was imported for. */
export async function listImportedSymbols(pool: Pool, source: string): Promise<string[]> {
  const { rows } = await pool.query<{ symbol: string }>(
    "SELECT DISTINCT symbol FROM import_file WHERE source = $1 ORDER BY symbol",
    [source],
  );
  return rows.map(({ symbol }) => symbol);
}

/**
 * Removes what was imported of one symbol from one source, and returns the number of hours. Hours are made of their other
 * parts again; what back-filling had stored there before the import is gone. An interrupted removal is continued by the
 * next one.
 */
export async function removeImports(pool: Pool, { instrument, source, priority, spreadsFromMs }: Options) {
  const { symbol } = instrument;
  let removed = 0;
  for (;;) {
    const count = await inTransaction(pool, async (client) => {
      await lockClosedHours(client);
      const rows = await query<{ hour: number }>(
        client,
        "SELECT DISTINCT hour FROM import_hour WHERE symbol = $1 AND source = $2 ORDER BY hour LIMIT $3",
        [symbol, source, HOURS_PER_TRANSACTION],
      );
      if (rows.length === 0) {
        await query(client, "DELETE FROM import_file WHERE symbol = $1 AND source = $2", [symbol, source]);
        return 0;
      }
      const hours = rows.map(({ hour }) => hour);
      await query(client, "DELETE FROM import_hour WHERE symbol = $1 AND source = $2 AND hour = ANY ($3::int4[])", [
        symbol,
        source,
        hours,
      ]);
      const left = await readParts(client, symbol, hours);
      const composed = hours.map((hour) => {
        const parts = unpackParts(left.get(hour) ?? [], hour);
        return composeHour(parts, { instrument, hourMs: hour * HOUR_MS, priority });
      });
      await writeHours(client, composed, { symbol, spreadsFromMs });
      const isRecorded = (hour: number) => left.get(hour)?.every((part) => part.source === RECORDED);
      await query(client, "DELETE FROM import_hour WHERE symbol = $1 AND hour = ANY ($2::int4[])", [
        symbol,
        hours.filter(isRecorded),
      ]);
      await raiseImports(client);
      return hours.length;
    });
    if (count === 0) return removed;
    removed += count;
  }
}
