import type { SecondRow } from "@/lib/history/hour-columns";
import type { FillingRow } from "@/lib/history/recording/second-fold";
import type { Logger } from "@/lib/platform/log/log";

/** A sealed row was passed to the database and must not change any more. */
type Phase = "filling" | "queued" | "sealed";

export interface PendingRow extends FillingRow {
  phase: Phase;
}

interface Options {
  /** Writes rows; resolves once they are safe. */
  readonly append: (rows: readonly SecondRow[]) => Promise<void>;
  /** Rows that may wait while the database is unavailable. */
  readonly maxWaiting: number;
  readonly log: Logger;
}

/** Rows in one statement: a few hundred milliseconds' work for the slower database. */
const MAX_BATCH = 10_000;

/** Finished rows that wait for the database, in the order they were finished. */
export class RowQueue {
  readonly #options: Options;
  /** The newest version of each second that is not acknowledged yet, by symbol and second. */
  readonly #waiting = new Map<string, Map<number, PendingRow>>();
  #rows: PendingRow[] = [];
  #isOverflowing = false;

  constructor(symbols: readonly string[], options: Options) {
    this.#options = options;
    for (const symbol of symbols) this.#waiting.set(symbol, new Map());
  }

  /** The newest version of a second that is not acknowledged yet. */
  getWaiting(symbol: string, second: number): PendingRow | undefined {
    return this.#waiting.get(symbol)?.get(second);
  }

  /** Adds a row. Returns false when too many wait: the row is lost. */
  add(row: PendingRow): boolean {
    const { maxWaiting, log } = this.#options;
    if (this.#rows.length >= maxWaiting) {
      row.phase = "sealed";
      if (!this.#isOverflowing) log.error({ maxWaiting }, "recording queue full; new seconds are lost");
      this.#isOverflowing = true;
      return false;
    }
    row.phase = "queued";
    this.#waiting.get(row.symbol)?.set(row.second, row);
    this.#rows.push(row);
    return true;
  }

  /** Writes the rows that wait now, and reports each batch once it is safe. After an error the rest still waits. */
  async write(onWritten: (rows: readonly SecondRow[]) => void): Promise<void> {
    let left = this.#rows.length;
    while (left > 0) {
      const batch = this.#rows.splice(0, Math.min(left, MAX_BATCH));
      left -= batch.length;
      for (const row of batch) row.phase = "sealed";
      try {
        await this.#options.append(batch);
      } catch (error) {
        this.#putBack(batch);
        throw error;
      }
      onWritten(batch);
      for (const row of batch) if (this.#isNewest(row)) this.#waiting.get(row.symbol)?.delete(row.second);
    }
    this.#isOverflowing = false;
  }

  /** Removes all rows that wait, and returns them. */
  takeAll(): PendingRow[] {
    const rows = this.#rows;
    this.#rows = [];
    for (const waiting of this.#waiting.values()) waiting.clear();
    return rows;
  }

  /** Whether a row before this Unix second still waits. */
  hasBefore(second: number): boolean {
    return this.#rows.some((row) => row.second < second);
  }

  /** Queues a failed batch again, without the seconds that have a newer version in the queue. */
  #putBack(batch: readonly PendingRow[]): void {
    const newest = batch.filter((row) => this.#isNewest(row));
    for (const row of newest) row.phase = "queued";
    this.#rows = [...newest, ...this.#rows];
  }

  #isNewest(row: PendingRow): boolean {
    return this.getWaiting(row.symbol, row.second) === row;
  }
}

export function createRow(symbol: string, second: number, bid: number, ask: number): PendingRow {
  return { symbol, second, bid, ask, open: bid, high: bid, low: bid, updates: 1, phase: "filling" };
}

export function copyRow({ symbol, second, bid, ask, open, high, low, updates }: SecondRow): PendingRow {
  return { symbol, second, bid, ask, open, high, low, updates, phase: "queued" };
}
