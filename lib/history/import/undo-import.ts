import type { Pool, PoolClient } from "pg";
import { inTransaction } from "@/lib/history/hour-store";
import { rememberImports } from "@/lib/history/import/follow-imports";
import { query, readParts, writeParts } from "@/lib/history/import/import-rows";
import { endWork } from "@/lib/history/import/import-runs";
import { requireClaim, type RunClaim } from "@/lib/history/import/run-claim";
import { composeAgain, lockClosedHours } from "@/lib/history/import/write-hours";
import { catalogResolver } from "@/lib/market/catalog-resolver";

/**
 * Undoes one import: each part of an hour becomes what it was before, and the hours are made of their parts again. Imports
 * that changed the same parts later must be undone first.
 */

/** Thrown where an import cannot be undone. The message is a sentence for the operator. */
export class UndoRefused extends Error {
  override readonly name = "UndoRefused";
  readonly code = "undo_refused";
}

interface UndoOptions {
  /** Sources in the order of their priority. */
  readonly priority: readonly string[];
  readonly spreadsFromMs: number;
  /** Rows from here on belong to the recorder. UTC milliseconds. */
  readonly untilMs: number;
  /** Called with the hours that are done. */
  readonly onProgress?: (hours: number) => void;
}

/** Hours of one transaction: the closing of an hour may wait for it. */
const HOURS_PER_TRANSACTION = 48;

/** Throws UndoRefused, with the reason, unless an import can be undone. */
export async function requireUndoable(db: Pick<Pool, "query">, id: string): Promise<void> {
  const merged = await db.query<{ symbol: string; into: string }>(
    `SELECT symbol, merged_into AS into FROM instrument
      WHERE merged_into IS NOT NULL AND symbol IN (SELECT symbol FROM import_undo WHERE run_id = $1) LIMIT 1`,
    [id],
  );
  const [moved] = merged.rows;
  if (moved !== undefined) {
    throw new UndoRefused(
      `${moved.symbol} was merged into ${moved.into} since, and its history was moved there: the import cannot be undone.`,
    );
  }
  await requireLatest(db, id);
}

/** Throws UndoRefused if another import changed a part later; of `hours` of a symbol, or of all. */
async function requireLatest(
  db: Pick<Pool, "query">,
  id: string,
  part?: { readonly symbol: string; readonly hours: readonly number[] },
): Promise<void> {
  const { rows } = await db.query<{ run: string; symbol: string; is_mutual: boolean }>(
    `SELECT other.run_id AS run, own.symbol, bool_or(own.last_change > other.first_change) AS is_mutual
       FROM import_undo AS own JOIN import_undo AS other USING (symbol, hour, timeframe, source)
      WHERE own.run_id = $1 AND other.run_id <> $1 AND other.last_change > own.first_change
        ${part === undefined ? "" : "AND own.symbol = $2 AND own.hour = ANY ($3::int4[])"}
      GROUP BY other.run_id, own.symbol ORDER BY max(other.last_change) DESC LIMIT 1`,
    part === undefined ? [id] : [id, part.symbol, part.hours],
  );
  const [later] = rows;
  if (later === undefined) return;
  throw new UndoRefused(
    later.is_mutual
      ? `The import ${later.run} changed the same hours of ${later.symbol} while this one ran, so that neither can be undone alone. Remove the rows with “import remove”.`
      : `The import ${later.run} changed the same hours of ${later.symbol} later: undo that one first.`,
  );
}

/** Undoes an import that this process has claimed, and stores the outcome. Rejects like `undoImport`. */
export async function undoClaimed(pool: Pool, claim: RunClaim, options: UndoOptions): Promise<number> {
  try {
    const hours = await undoImport(pool, claim, options);
    await endWork(pool, claim, { state: "undone" });
    return hours;
  } catch (error) {
    if (error instanceof UndoRefused) await endWork(pool, claim, { state: "failed", error: error.message });
    throw error;
  }
}

/**
 * Undoes an import that this process has claimed, in transactions of a bounded size; interrupted, the next call goes on.
 * Returns the number of hours. Throws UndoRefused if a later import has changed the same hours, and RunStopped if another
 * process has taken it over.
 */
async function undoImport(pool: Pool, claim: RunClaim, options: UndoOptions): Promise<number> {
  await requireUndoable(pool, claim.id);
  const { rows } = await pool.query<{ symbol: string }>(
    "SELECT DISTINCT symbol FROM import_undo WHERE run_id = $1 ORDER BY symbol",
    [claim.id],
  );
  let undone = 0;
  for (const { symbol } of rows) {
    for (;;) {
      const hours = await inTransaction(pool, (client) => undoHours(client, claim, symbol, options));
      if (hours === 0) break;
      undone += hours;
      options.onProgress?.(undone);
    }
    const instrument = catalogResolver.find(symbol);
    if (instrument !== undefined) await rememberImports(pool, [instrument], options.untilMs);
  }
  await inTransaction(pool, async (client) => {
    await requireClaim(client, claim, "undoing");
    // The digits that it raised, unless another import or a source has as many.
    await query(
      client,
      `UPDATE price_digits SET digits = greatest(own.before, (SELECT max((report->'raised'->>'to')::int2) FROM import_file
                                                  WHERE symbol = own.symbol AND NOT $1 = ANY (runs)))
         FROM (SELECT symbol, min((report->'raised'->>'from')::int2) AS before, max((report->'raised'->>'to')::int2) AS after
                 FROM import_file WHERE $1 = ANY (runs) AND report->'raised' IS NOT NULL GROUP BY symbol) AS own
        WHERE price_digits.symbol = own.symbol AND price_digits.digits <= own.after`,
      [claim.id],
    );
    await query(client, "DELETE FROM import_file WHERE $1 = ANY (runs)", [claim.id]);
  });
  return undone;
}

async function undoHours(client: PoolClient, claim: RunClaim, symbol: string, options: UndoOptions): Promise<number> {
  await lockClosedHours(client);
  await requireClaim(client, claim, "undoing");
  const first = await query<{ hour: number }>(
    client,
    "SELECT DISTINCT hour FROM import_undo WHERE run_id = $1 AND symbol = $2 ORDER BY hour LIMIT $3",
    [claim.id, symbol, HOURS_PER_TRANSACTION],
  );
  if (first.length === 0) return 0;
  const hours = first.map(({ hour }) => hour);
  await requireLatest(client, claim.id, { symbol, hours });
  const noted = await query<{ hour: number; timeframe: number; source: string; block: Buffer | null }>(
    client,
    `DELETE FROM import_undo WHERE run_id = $1 AND symbol = $2 AND hour = ANY ($3::int4[])
     RETURNING hour, timeframe, source, block`,
    [claim.id, symbol, hours],
  );
  const stored = await readParts(client, symbol, hours);
  // A part that is gone was removed since, and stays so.
  const present = noted.filter(({ hour, timeframe, source }) =>
    stored.get(hour)?.some((part) => part.timeframe === timeframe && part.source === source),
  );
  await query(
    client,
    `DELETE FROM import_hour USING unnest($2::int4[], $3::int2[], $4::text[]) AS part (hour, timeframe, source)
      WHERE symbol = $1 AND import_hour.hour = part.hour AND import_hour.timeframe = part.timeframe
        AND import_hour.source = part.source`,
    [
      symbol,
      present.map(({ hour }) => hour),
      present.map(({ timeframe }) => timeframe),
      present.map(({ source }) => source),
    ],
  );
  await writeParts(
    client,
    symbol,
    present.flatMap(({ block, ...part }) => (block === null ? [] : { ...part, block })),
  );
  const changed = [...new Set(present.map(({ hour }) => hour))];
  const cause = { kind: "undone", run: claim.id } as const;
  if (changed.length > 0) await composeAgain(client, changed, { symbol, ...options, cause });
  return hours.length;
}
