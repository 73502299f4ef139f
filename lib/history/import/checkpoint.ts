import type { Pool, PoolClient } from "pg";
import type { ImportReport } from "@/lib/history/import/import-report";

/** How far files were imported. */

/** The same content may be imported for another symbol or source, or in another zone. */
export interface FileKey {
  /** SHA-256 of the file in hex. */
  readonly digest: string;
  readonly symbol: string;
  readonly source: string;
  readonly zone: string;
  /** The name of the file when it was imported. */
  readonly name: string;
}

interface Checkpoint {
  /** Rows from the beginning of the file that are stored or refused. */
  readonly rows: number;
  readonly finished: boolean;
  readonly report: ImportReport;
}

/** Null for a file of which nothing was imported. */
export async function readCheckpoint(pool: Pool, key: FileKey): Promise<Checkpoint | null> {
  const { rows } = await pool.query<Checkpoint>(
    `SELECT rows::float8 AS rows, finished, report FROM import_file
      WHERE digest = $1 AND symbol = $2 AND source = $3 AND zone = $4`,
    [key.digest, key.symbol, key.source, key.zone],
  );
  return rows[0] ?? null;
}

export async function writeCheckpoint(
  client: PoolClient,
  { digest, symbol, source, zone, name }: FileKey,
  { rows, finished, report }: Checkpoint,
): Promise<void> {
  await client.query(
    `INSERT INTO import_file (digest, symbol, source, zone, name, rows, finished, report)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (digest, symbol, source, zone) DO UPDATE
        SET name = excluded.name, rows = excluded.rows, finished = excluded.finished, report = excluded.report, at = now()`,
    [digest, symbol, source, zone, name, rows, finished, JSON.stringify(report)],
  );
}
