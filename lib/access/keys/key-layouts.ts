import type { Pool } from "pg";
import type { Clock } from "@/lib/platform/timing/clock";

/** The display settings that a key's program stores: one JSON text for each key. */
export interface KeyLayouts {
  /** The last saved JSON, or null. */
  read(keyId: string): Promise<string | null>;
  save(keyId: string, json: string): Promise<void>;
}

export function createKeyLayouts(pool: Pool, { now }: { now: Clock }): KeyLayouts {
  return {
    async read(keyId) {
      const { rows } = await pool.query<{ layout: string }>("SELECT layout FROM key_layout WHERE key_id = $1", [keyId]);
      return rows[0]?.layout ?? null;
    },
    async save(keyId, json) {
      await pool.query(
        `INSERT INTO key_layout (key_id, layout, saved_at) VALUES ($1, $2, to_timestamp($3::float8 / 1000))
         ON CONFLICT (key_id) DO UPDATE SET layout = excluded.layout, saved_at = excluded.saved_at`,
        [keyId, json, now()],
      );
    },
  };
}
