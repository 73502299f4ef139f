import type { Pool } from "pg";
import type { SourceGap } from "@/lib/feeds/source-gap";
import type { SeenSource, TrackedGap } from "@/lib/history/gaps/gap-tracker";
import { inLeasedTransaction } from "@/lib/history/hour-store";

/** A stored gap. */
export interface StoredGap extends SourceGap {
  /** The symbols that are still to be filled. */
  readonly waiting: readonly string[];
  /** The symbols that cannot be filled. */
  readonly missing: readonly string[];
  readonly attempts: number;
}

const COLUMNS = `source, from_ms::float8 AS "fromMs", to_ms::float8 AS "toMs", reason, waiting, missing, attempts`;

/** Reads the last prices of each source before this start. */
export async function readSeen(pool: Pool): Promise<SeenSource[]> {
  const { rows } = await pool.query<SeenSource>(
    `SELECT source, seen_ms::float8 AS "seenMs", symbols, reason FROM source_seen ORDER BY source`,
  );
  return rows;
}

/** Stores gaps and the last prices, and removes gaps before `keptFromMs`. Throws LeaseLost unless `fence` holds the lease. */
export async function writeGaps(
  pool: Pool,
  fence: number,
  { gaps, seen, keptFromMs }: { gaps: readonly TrackedGap[]; seen: readonly SeenSource[]; keptFromMs: number },
): Promise<void> {
  await inLeasedTransaction(pool, fence, async (client) => {
    for (const { source, fromMs, toMs, reason, symbols } of gaps) {
      await client.query(
        `INSERT INTO source_gap (source, from_ms, to_ms, reason, waiting) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (source, from_ms) DO NOTHING`,
        [source, Math.floor(fromMs), Math.ceil(toMs), reason, symbols],
      );
    }
    if (gaps.length > 0) await client.query("DELETE FROM source_gap WHERE to_ms < $1", [Math.floor(keptFromMs)]);
    await client.query("DELETE FROM source_seen WHERE source <> ALL ($1)", [seen.map(({ source }) => source)]);
    for (const { source, seenMs, symbols, reason } of seen) {
      await client.query(
        `INSERT INTO source_seen (source, seen_ms, symbols, reason) VALUES ($1, $2, $3, $4)
         ON CONFLICT (source) DO UPDATE SET seen_ms = excluded.seen_ms, symbols = excluded.symbols, reason = excluded.reason`,
        [source, Math.floor(seenMs), symbols, reason],
      );
    }
  });
}

/** The gaps that are not filled, oldest first. */
export async function readUnfilled(pool: Pool): Promise<StoredGap[]> {
  const { rows } = await pool.query<StoredGap>(
    `SELECT ${COLUMNS} FROM source_gap WHERE waiting <> '{}' OR missing <> '{}' ORDER BY from_ms, source`,
  );
  return rows;
}

/** The gaps that are to be filled now, oldest first. */
export async function readDue(pool: Pool, nowMs: number): Promise<StoredGap[]> {
  const { rows } = await pool.query<StoredGap>(
    `SELECT ${COLUMNS} FROM source_gap WHERE waiting <> '{}' AND next_ms <= $1 ORDER BY from_ms, source`,
    [Math.floor(nowMs)],
  );
  return rows;
}

type GapKey = Pick<SourceGap, "source" | "fromMs">;

/** Notes that the past of some symbols was read, and for which there was none. Throws LeaseLost like `writeGaps`. */
export async function noteRead(
  pool: Pool,
  fence: number,
  { source, fromMs }: GapKey,
  { symbols, missing }: { readonly symbols: readonly string[]; readonly missing: readonly string[] },
): Promise<void> {
  const text = `UPDATE source_gap SET waiting = ARRAY(SELECT unnest(waiting) EXCEPT SELECT unnest($3::text[]) ORDER BY 1),
            missing = ARRAY(SELECT unnest(missing) UNION SELECT unnest($4::text[]) ORDER BY 1), attempts = 0
      WHERE source = $1 AND from_ms = $2`;
  await inLeasedTransaction(pool, fence, (client) => client.query(text, [source, fromMs, symbols, missing]));
}

/** Tries a gap again later. Throws LeaseLost like `writeGaps`. */
export async function postpone(
  pool: Pool,
  fence: number,
  { source, fromMs }: GapKey,
  { nextMs, isFailure }: { readonly nextMs: number; readonly isFailure: boolean },
): Promise<void> {
  const text = "UPDATE source_gap SET next_ms = $3, attempts = attempts + $4 WHERE source = $1 AND from_ms = $2";
  const values = [source, fromMs, Math.floor(nextMs), isFailure ? 1 : 0];
  await inLeasedTransaction(pool, fence, (client) => client.query(text, values));
}
