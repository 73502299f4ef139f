import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";

/**
 * Counts attempts at something secret, each before it is looked at, so that attempts made at once do not slip
 * through. The counts are in the database: every process shares them, and a restart opens no door.
 */

export interface AttemptLimit {
  /** What is counted: "confirm:0199…". Whoever names it keeps secrets out of it. */
  readonly name: string;
  readonly most: number;
  readonly windowMs: number;
}

interface Taken {
  /** The first limit that had no attempt left; null when all had. Then nothing after it was counted. */
  readonly exhausted: AttemptLimit | null;
  /** When that limit lets one in again, UTC milliseconds. */
  readonly untilMs: number;
  /** Limits whose last attempt this is. */
  readonly last: readonly AttemptLimit[];
}

export function createAttempts(database: Database, { now }: { now: Clock }) {
  async function count({ name, most, windowMs }: AttemptLimit) {
    const nowMs = now();
    const { rows } = await database.pool.query<{ used: number; until: Date }>(
      `INSERT INTO attempt AS counted (name, used, ends_at) VALUES ($1, 1, $3)
       ON CONFLICT (name) DO UPDATE SET
         used = CASE WHEN counted.ends_at <= $2 THEN 1 ELSE least(counted.used, $4) + 1 END,
         ends_at = CASE WHEN counted.ends_at <= $2 THEN excluded.ends_at ELSE counted.ends_at END
       RETURNING used, ends_at AS until`,
      [name, new Date(nowMs), new Date(nowMs + windowMs), most],
    );
    const [row] = rows;
    if (row === undefined) throw new Error("An attempt could not be counted.");
    return { used: row.used, untilMs: row.until.getTime() };
  }

  return {
    /** Takes one attempt under each limit, in this order. */
    async take(...limits: readonly AttemptLimit[]): Promise<Taken> {
      await database.pool.query("DELETE FROM attempt WHERE ends_at <= $1", [new Date(now())]);
      const last: AttemptLimit[] = [];
      for (const limit of limits) {
        const { used, untilMs } = await count(limit);
        if (used > limit.most) return { exhausted: limit, untilMs, last: [] };
        if (used === limit.most) last.push(limit);
      }
      return { exhausted: null, untilMs: now(), last };
    },

    /** The attempt was none after all: it does not count. */
    async giveBack(...limits: readonly AttemptLimit[]): Promise<void> {
      const names = limits.map(({ name }) => name);
      await database.pool.query("UPDATE attempt SET used = greatest(used - 1, 0) WHERE name = ANY($1)", [names]);
    },

    /** The attempt was right: the next ones start anew. */
    async forget(limit: AttemptLimit): Promise<void> {
      await database.pool.query("DELETE FROM attempt WHERE name = $1", [limit.name]);
    },
  };
}
