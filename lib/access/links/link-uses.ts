import type { Pool } from "pg";
import type { LinkEntry } from "@/lib/access/admission/entries";
import { MINUTE_MS } from "@/lib/time/units";

/** When each link was last used: like last-uses.ts, at most once a minute. */
export function createLinkUses() {
  let unwritten = new Map<string, number>();

  return {
    /** Records the use unless another was recorded within the last minute. */
    note(link: LinkEntry, nowMs: number): void {
      if (nowMs < link.notedAtMs + MINUTE_MS && nowMs >= link.notedAtMs) return;
      link.notedAtMs = nowMs;
      unwritten.set(link.id, nowMs);
    },

    /** Writes the recorded uses. If the database fails it rejects and keeps them for the next flush. */
    async flush(pool: Pool): Promise<void> {
      if (unwritten.size === 0) return;
      const writing = unwritten;
      unwritten = new Map();
      try {
        await writeUses(pool, writing);
      } catch (error) {
        unwritten = new Map([...writing, ...unwritten]);
        throw error;
      }
    },
  };
}

/** Keeps a later use that another process wrote. */
async function writeUses(pool: Pool, uses: ReadonlyMap<string, number>): Promise<void> {
  await pool.query(
    `UPDATE key_link SET last_used_at = to_timestamp(at_ms / 1000)
       FROM unnest($1::uuid[], $2::float8[]) AS last_use (link_id, at_ms)
      WHERE key_link.id = last_use.link_id
        AND (last_used_at IS NULL OR last_used_at < to_timestamp(at_ms / 1000))`,
    [[...uses.keys()], [...uses.values()]],
  );
}
