import type { Pool } from "pg";
import { UNUSED_DAYS } from "@/lib/access/keys/key-life";
import type { NewNotice } from "@/lib/access/notices/notices";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

/**
 * Makes a notice of each key that has not been used for long, once: another one only if the key was used again in
 * between. Looks once an hour.
 */
export function createUnusedKeys(pool: Pool) {
  let checkedAtMs = -Infinity;
  return {
    /** Passes the notices that are due to `write`. */
    async flush(write: (notices: readonly NewNotice[]) => Promise<void>, nowMs: number): Promise<void> {
      if (nowMs < checkedAtMs + HOUR_MS && nowMs >= checkedAtMs) return;
      const keys = await readUnused(pool, nowMs);
      await write(keys.map(buildNotice));
      // After the notices: they are unique, so one that is written again is ignored.
      await markReported(pool, keys, nowMs);
      checkedAtMs = nowMs;
    },
  };
}

interface UnusedKey {
  readonly id: string;
  readonly accountId: string;
  readonly label: string;
  readonly createdAtMs: number;
  readonly lastUsedAtMs: number | null;
}

/** The keys that could be used, were not for `UNUSED_DAYS`, and were not reported since their last use. */
async function readUnused(pool: Pool, nowMs: number): Promise<UnusedKey[]> {
  const { rows } = await pool.query<UnusedKey>(
    `SELECT api_key.id, account_id AS "accountId", label,
            (extract(epoch FROM api_key.created_at) * 1000)::float8 AS "createdAtMs",
            (extract(epoch FROM last_used_at) * 1000)::float8 AS "lastUsedAtMs"
       FROM api_key JOIN account ON account.id = account_id
      WHERE coalesce(last_used_at, api_key.created_at) <= to_timestamp($2::float8 / 1000)
        AND (unused_reported_at IS NULL OR unused_reported_at < last_used_at)
        AND revoked_at IS NULL AND disabled_at IS NULL AND suspended_at IS NULL
        AND (expires_at IS NULL OR expires_at > to_timestamp($1::float8 / 1000))`,
    [nowMs, nowMs - UNUSED_DAYS * DAY_MS],
  );
  return rows;
}

function buildNotice({ id, accountId, label, createdAtMs, lastUsedAtMs }: UnusedKey): NewNotice {
  const createdOn = formatDay(createdAtMs);
  const lastUsedOn = lastUsedAtMs === null ? null : formatDay(lastUsedAtMs);
  return {
    accountId,
    topic: `unused key ${id} ${lastUsedOn ?? createdOn}`,
    level: 1,
    facts: { kind: "unused", keyId: id, label, createdOn, lastUsedOn },
  };
}

function formatDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10);
}

async function markReported(pool: Pool, keys: readonly UnusedKey[], nowMs: number): Promise<void> {
  if (keys.length === 0) return;
  await pool.query(
    "UPDATE api_key SET unused_reported_at = to_timestamp($2::float8 / 1000) WHERE id = ANY($1::uuid[])",
    [keys.map(({ id }) => id), nowMs],
  );
}
