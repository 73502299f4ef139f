import type { Pool } from "pg";
import type { SecondRow } from "@/lib/history/hour-columns";
import { appendSeconds, openJournalHour } from "@/lib/history/journal";
import { getHourStart } from "@/lib/history/open-hours";

/** Writes rows to the journal, and prepares room for each hour before its first row. */
export class JournalWriter {
  readonly #pool: Pool;
  readonly #preparedHours = new Set<number>();

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Throws LeaseLost unless `fence` holds the lease. */
  async append(rows: readonly SecondRow[], fence: number): Promise<void> {
    try {
      for (const hourMs of new Set(rows.map(({ second }) => getHourStart(second)))) {
        if (this.#preparedHours.has(hourMs)) continue;
        await openJournalHour(this.#pool, hourMs);
        this.#preparedHours.add(hourMs);
      }
      await appendSeconds(this.#pool, fence, rows);
    } catch (error) {
      this.#preparedHours.clear(); // The next attempt prepares its hours again.
      throw error;
    }
  }

  onClosed(hourMs: number): void {
    this.#preparedHours.delete(hourMs);
  }
}
