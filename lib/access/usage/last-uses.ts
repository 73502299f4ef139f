import type { Pool } from "pg";
import type { KeyEntry } from "@/lib/access/admission/entries";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * When, from where and for what each key was last used. Records at most one call per key and minute, so that the hot
 * path only compares two numbers and a busy key's row is written once a minute.
 */

/** A call of the API, as far as this file needs it. */
export interface Caller {
  address(): string | null;
}

interface LastUse {
  readonly atMs: number;
  readonly from: string | null;
  readonly endpoint: string;
  readonly status: number;
}

const PAUSE_MS = MINUTE_MS;

export function createLastUses() {
  let unwritten = new Map<string, LastUse>();

  return {
    /** Records the call unless another was recorded within the last minute. */
    record(entry: KeyEntry, endpoint: string, status: number, caller: Caller | null, nowMs: number): void {
      if (nowMs < entry.notedAtMs + PAUSE_MS && nowMs >= entry.notedAtMs) return;
      entry.notedAtMs = nowMs;
      unwritten.set(entry.id, { atMs: nowMs, from: caller?.address() ?? null, endpoint, status });
    },

    /** Writes the recorded calls. If the database fails it rejects and keeps them for the next flush. */
    async flush(pool: Pool): Promise<void> {
      if (unwritten.size === 0) return;
      const writing = unwritten;
      unwritten = new Map();
      try {
        await writeLastUses(pool, writing);
      } catch (error) {
        unwritten = new Map([...writing, ...unwritten]);
        throw error;
      }
    },
  };
}

/** Keeps a later call that another process wrote. Writing the same uses again changes nothing. */
async function writeLastUses(pool: Pool, uses: ReadonlyMap<string, LastUse>): Promise<void> {
  const column = <Value>(pick: (use: LastUse) => Value) => [...uses.values()].map(pick);
  await pool.query(
    `UPDATE api_key
        SET last_used_at = to_timestamp(at_ms / 1000), last_used_from = address,
            last_used_endpoint = endpoint, last_used_status = status
       FROM unnest($1::uuid[], $2::float8[], $3::text[], $4::text[], $5::int2[])
            AS last_use (key_id, at_ms, address, endpoint, status)
      WHERE api_key.id = last_use.key_id
        AND (last_used_at IS NULL OR last_used_at < to_timestamp(at_ms / 1000))`,
    [
      [...uses.keys()],
      column(({ atMs }) => atMs),
      column(({ from }) => from),
      column(({ endpoint }) => endpoint),
      column(({ status }) => status),
    ],
  );
}
