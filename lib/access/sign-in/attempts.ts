import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/**
 * Counts attempts at something secret. Each is counted before it is checked, so that concurrent attempts cannot exceed a
 * limit. The counts are in the database: all processes share them, and a restart does not reset them.
 */

export interface AttemptLimit {
  /** What is counted, such as "confirm:0199…". Must not contain a secret. */
  readonly name: string;
  readonly maxAttempts: number;
  readonly windowMs: number;
}

interface Taken {
  /** The first limit with no attempt left, or null. The limits after it are not counted. */
  readonly exhausted: AttemptLimit | null;
  /** When that limit allows the next attempt, UTC milliseconds. */
  readonly untilMs: number;
  /** The limits of which this is the last attempt. */
  readonly last: readonly AttemptLimit[];
}

export type Attempts = ReturnType<typeof createAttempts>;

export function createAttempts(database: Database, { now }: { now: Clock }) {
  async function count({ name, maxAttempts, windowMs }: AttemptLimit) {
    const nowMs = now();
    const { rows } = await database.pool.query<{ used: number; until: Date }>(
      `INSERT INTO attempt AS counted (name, used, ends_at) VALUES ($1, 1, $3)
       ON CONFLICT (name) DO UPDATE SET
         used = CASE WHEN counted.ends_at <= $2 THEN 1 ELSE least(counted.used, $4) + 1 END,
         ends_at = CASE WHEN counted.ends_at <= $2 THEN excluded.ends_at ELSE counted.ends_at END
       RETURNING used, ends_at AS until`,
      [name, new Date(nowMs), new Date(nowMs + windowMs), maxAttempts],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("An attempt could not be counted.");
    return { used: row.used, untilMs: row.until.getTime() };
  }

  return {
    /** Counts one attempt under each limit, in this order. */
    async take(...limits: readonly AttemptLimit[]): Promise<Taken> {
      await database.pool.query("DELETE FROM attempt WHERE ends_at <= $1", [new Date(now())]);
      const last: AttemptLimit[] = [];
      for (const limit of limits) {
        const { used, untilMs } = await count(limit);
        if (used > limit.maxAttempts) return { exhausted: limit, untilMs, last: [] };
        if (used === limit.maxAttempts) last.push(limit);
      }
      return { exhausted: null, untilMs: now(), last };
    },

    /** Undoes one attempt under each limit. */
    async giveBack(...limits: readonly AttemptLimit[]): Promise<void> {
      const names = limits.map(({ name }) => name);
      await database.pool.query("UPDATE attempt SET used = greatest(used - 1, 0) WHERE name = ANY($1)", [names]);
    },

    /** Resets a limit after a right attempt. */
    async forget(limit: AttemptLimit): Promise<void> {
      await database.pool.query("DELETE FROM attempt WHERE name = $1", [limit.name]);
    },
  };
}
