import type { Pool } from "pg";
import type { TickPush } from "@/lib/feeds/mt5/tick-push";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** A batch as it was received. Times are UTC milliseconds, those of ticks the trade server's. */
export interface Batch {
  readonly bootId: string;
  readonly seq: number;
  readonly receivedAtMs: number;
  readonly builtAtMs: number;
  readonly ticks: TickPush["ticks"];
}

/** How long a batch is kept after it came: much longer than the recorder needs to store its seconds. */
const KEEP_MS = 5 * MINUTE_MS;
/** Batches may have been deleted before those of a span of this length. */
const WHOLE_SPAN_MS = KEEP_MS - MINUTE_MS / 2;
/** The first batches of a cut span are left out, because only a part of their first second is left. */
const CUT_MS = MINUTE_MS;
/** Older batches are of hours that are closed. */
const MAX_AGE_MS = DAY_MS;

type PackedTick = readonly [string, number | null, number | null, number | null];

/** A batch that is stored for the first time, and how far its run is after it. */
interface NewBatch extends Batch {
  readonly digest: string;
  readonly after: BatchProgress;
}

/**
 * Stores a batch and how far its run is, in one statement. Resolves with false, and stores nothing, unless `fence` is the
 * number of the server that records: another one does not pass it on. Rejects if the batch is stored already.
 */
export async function storeBatch(pool: Pool, fence: number, tokenId: string, batch: NewBatch): Promise<boolean> {
  const { bootId, seq, receivedAtMs, builtAtMs, ticks, digest, after } = batch;
  const packed = ticks.map(({ s, b, a, t }): PackedTick => [s, b, a, t]);
  const { rowCount } = await pool.query(
    `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $10 FOR KEY SHARE),
     batch AS (
       INSERT INTO mt5_batch (token_id, boot_id, seq, received_at, built_at, digest, ticks)
       SELECT $1::uuid, $2, $3::bigint, $4::timestamptz, $5::timestamptz, $6, $7::jsonb FROM lease
     )
     INSERT INTO mt5_boot (token_id, boot_id, last_seq, missing, last_at)
     SELECT $1::uuid, $2, $8::bigint, $9::jsonb, $4::timestamptz FROM lease
     ON CONFLICT (token_id, boot_id) DO UPDATE SET last_seq = $8, missing = $9, last_at = $4`,
    [
      tokenId,
      bootId,
      seq,
      new Date(receivedAtMs),
      new Date(builtAtMs),
      digest,
      JSON.stringify(packed),
      after.lastSeq,
      JSON.stringify(after.missing),
      fence,
    ],
  );
  return rowCount === 1;
}

/** How far each run of a terminal is, the latest first. */
export async function readBoots(pool: Pool, tokenId: string): Promise<(BatchProgress & { readonly bootId: string })[]> {
  const { rows } = await pool.query<{ bootId: string; lastSeq: string; missing: [number, number][] }>(
    `SELECT boot_id AS "bootId", last_seq AS "lastSeq", missing FROM mt5_boot WHERE token_id = $1 ORDER BY last_at DESC
     LIMIT 1000`,
    [tokenId],
  );
  return rows.map(({ bootId, lastSeq, missing }) => ({ bootId, lastSeq: Number(lastSeq), missing }));
}

/** The digest of a batch that is still kept; null otherwise. */
export async function readDigest(pool: Pool, tokenId: string, bootId: string, seq: number): Promise<string | null> {
  const { rows } = await pool.query<{ digest: string }>(
    "SELECT digest FROM mt5_batch WHERE token_id = $1 AND boot_id = $2 AND seq = $3",
    [tokenId, bootId, seq],
  );
  return rows[0]?.digest ?? null;
}

/** The kept batches of a terminal in the order in which they came, without those that began before what is kept. */
export async function readBatches(pool: Pool, tokenId: string, nowMs: number): Promise<Batch[]> {
  const { rows } = await pool.query<{
    bootId: string;
    seq: string;
    receivedAt: Date;
    builtAt: Date;
    ticks: PackedTick[];
  }>(
    `SELECT boot_id AS "bootId", seq, received_at AS "receivedAt", built_at AS "builtAt", ticks FROM mt5_batch
     WHERE token_id = $1 AND received_at > $2 ORDER BY received_at, seq`,
    [tokenId, new Date(nowMs - MAX_AGE_MS)],
  );
  const batches = rows.map(({ bootId, seq, receivedAt, builtAt, ticks }) => ({
    ...{ bootId, seq: Number(seq), receivedAtMs: receivedAt.getTime(), builtAtMs: builtAt.getTime() },
    ticks: ticks.map(([s, b, a, t]) => ({ s, b: b ?? NaN, a: a ?? NaN, t: t ?? NaN })),
  }));
  const firstMs = batches[0]?.receivedAtMs ?? 0;
  const isCut = (batches.at(-1)?.receivedAtMs ?? 0) - firstMs > WHOLE_SPAN_MS;
  return isCut ? batches.filter(({ receivedAtMs }) => receivedAtMs > firstMs + CUT_MS) : batches;
}

/** Deletes the batches that came minutes before a terminal's newest one. */
export async function deleteOldBatches(pool: Pool): Promise<void> {
  await pool.query(
    `DELETE FROM mt5_batch USING (SELECT token_id, max(received_at) AS newest FROM mt5_batch GROUP BY token_id) AS last
     WHERE mt5_batch.token_id = last.token_id AND received_at < newest - $1 * interval '1 millisecond'`,
    [KEEP_MS],
  );
}

/** How far the batches of one run of a terminal's program were stored. */
export interface BatchProgress {
  readonly lastSeq: number;
  /** Ranges [from, to] before `lastSeq` that never came, oldest first. */
  readonly missing: readonly (readonly [number, number])[];
}

interface Placement {
  /** Whether this batch was stored before. */
  readonly isRepeated: boolean;
  /** How many batches before this one have not come. */
  readonly skipped: number;
  /** The state once this batch is stored. */
  readonly after: BatchProgress;
}

export const NO_BATCHES: BatchProgress = { lastSeq: 0, missing: [] };

/** Older gaps are forgotten: their batches then count as stored. */
const MAX_GAPS = 100;

/** Decides whether a batch is new. A batch of an earlier gap is new too, because nobody has acknowledged it. */
export function placeBatch({ lastSeq, missing }: BatchProgress, seq: number): Placement {
  if (seq > lastSeq) {
    const skipped = seq - lastSeq - 1;
    const gaps = skipped === 0 ? missing : [...missing, [lastSeq + 1, seq - 1] as const].slice(-MAX_GAPS);
    return { isRepeated: false, skipped, after: { lastSeq: seq, missing: gaps } };
  }
  const isMissing = missing.some(([from, to]) => seq >= from && seq <= to);
  if (!isMissing) return { isRepeated: true, skipped: 0, after: { lastSeq, missing } };
  const left = missing.flatMap(([from, to]) => {
    if (seq < from || seq > to) return [[from, to] as const];
    return [[from, seq - 1] as const, [seq + 1, to] as const].filter(([first, last]) => first <= last);
  });
  return { isRepeated: false, skipped: 0, after: { lastSeq, missing: left.slice(-MAX_GAPS) } };
}
