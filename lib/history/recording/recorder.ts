import type { Quote } from "@/lib/feeds/intake";
import { raiseRow, type SecondRow, SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import { getHourStart, type OpenHoursKeeper } from "@/lib/history/open-hours";
import { alignPoints, fitDigits, MAX_POINTS, toPoints } from "@/lib/market/price";
import { type Logger, silentLog } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

export interface RecorderCounts {
  /** Rows acknowledged; a rewritten second counts again. */
  recorded: number;
  /** Updates that came for a finished second and were merged into it. */
  merged: number;
  /** Seconds delivered again without a new update. */
  repeated: number;
  /** Updates that came after their hour was closed. */
  tooLate: number;
  /** Seconds lost because the database was unavailable for too long or a price was too large. */
  dropped: number;
}

interface Options {
  readonly openHours: Pick<OpenHoursKeeper, "readSecond" | "completeUntilMs">;
  /** When each closed hour began: UTC milliseconds. */
  readonly closedHours: Iterable<number>;
  /** The source that the book serves a symbol from. */
  readonly servedSource: (symbol: string, nowMs: number) => string | undefined;
  /** Writes rows; resolves once they are safe. */
  readonly append: (rows: readonly SecondRow[]) => Promise<void>;
  /** Receives rows that are safe. They must be in the open hours when it returns. */
  readonly onRecorded: (rows: readonly SecondRow[], completeUntilMs: number) => void;
  readonly marketNow: Clock;
  readonly log?: Logger;
  /** Rows that may wait while the database is unavailable: about an hour of all symbols. */
  readonly maxWaiting?: number;
}

interface Track {
  readonly symbol: string;
  /** The latest second that has a quote. */
  current: PendingRow | null;
}

const MAX_WAITING = 500_000;

/**
 * Folds every served quote into one row per symbol and second of broker time, and stores finished rows. A row becomes
 * readable once the database has acknowledged it. While the database is unavailable rows wait in memory; quotes are
 * never delayed.
 */
export class Recorder {
  readonly #options: Options;
  readonly #tracks = new Map<string, Track>();
  readonly #queue: RowQueue;
  readonly #closedHours: Set<number>;
  readonly #counts: RecorderCounts = { recorded: 0, merged: 0, repeated: 0, tooLate: 0, dropped: 0 };
  #isStandby = false;
  #quotes = 0;
  #quotesAtLastFlush = 0;
  #newestQuoteMs = 0;

  constructor(options: Options) {
    const { append, closedHours, maxWaiting = MAX_WAITING, log = silentLog } = options;
    this.#options = options;
    this.#queue = new RowQueue({ append, maxWaiting, log });
    this.#closedHours = new Set(closedHours);
  }

  /** The time of the newest quote, UTC milliseconds. */
  get newestMs(): number {
    return this.#newestQuoteMs;
  }

  /** Forgets the seconds after a moment, which were written: a clock that was ahead has come back. */
  setBack(untilMs: number): void {
    this.#newestQuoteMs = Math.min(this.#newestQuoteMs, untilMs);
    for (const track of this.#tracks.values()) {
      const { current, symbol } = track;
      // Seconds before it came as late ones, and wait.
      if (current !== null && current.second * 1000 > untilMs) track.current = this.#queue.getNewest(symbol) ?? null;
    }
  }

  /** Accepts a quote that the book has just accepted. It is recorded if it is the served one. */
  onQuote(quote: Quote): void {
    const { symbol, digits } = quote.instrument;
    this.#quotes++;
    if (quote.timeMs > this.#newestQuoteMs) this.#newestQuoteMs = quote.timeMs;
    if (this.#options.servedSource(symbol, quote.receivedAtMs) !== quote.source) return;
    let track = this.#tracks.get(symbol);
    if (track === undefined) this.#tracks.set(symbol, (track = { symbol, current: null }));
    const second = Math.floor(quote.timeMs / 1000);
    const fitting = fitDigits(quote.ask, digits);
    const price = { digits: fitting, bid: toPoints(quote.bid, fitting), ask: toPoints(quote.ask, fitting) };
    if (price.ask > MAX_POINTS) {
      this.#counts.dropped++;
      return;
    }
    const { current } = track;
    if (current !== null && current.second === second && current.phase === "filling") addUpdate(current, price);
    else this.#beginSecond(track, second, price);
  }

  /** Writes every finished second. Rejects if the database fails; rows that could not be written wait. */
  async flush(): Promise<void> {
    const untilMs = Math.floor(this.#findCompleteMs() / 1000) * 1000;
    this.#endSecondsBefore(untilMs);
    await this.#write(untilMs);
  }

  /** Writes the seconds that are queued already. */
  async drain(): Promise<void> {
    await this.#write(this.#options.openHours.completeUntilMs);
  }

  /** Ends every second that is still filling, and writes it too. */
  async finish(): Promise<void> {
    this.#endSecondsBefore(Infinity);
    await this.#write(this.#options.openHours.completeUntilMs);
  }

  /** Drops the waiting seconds before this moment, because another recorder has stored them. */
  discardBefore(untilMs: number): void {
    this.#endSecondsBefore(untilMs);
    for (const row of this.#queue.takeAll()) if (row.second * 1000 >= untilMs) this.#enqueue(row);
  }

  /** From now on seconds wait as this server received them: another recorder stores its own. */
  standBy(): void {
    this.#isStandby = true;
  }

  /**
   * Ends `standBy`, and drops the waiting seconds that the other recorder has stored. Both received the same prices, so nothing is added to
   * those; but a second that the other stored in part is replaced by the whole one.
   */
  takeOver(): void {
    this.#isStandby = false;
    const isStored = (row: PendingRow) => {
      const stored = this.#options.openHours.readSecond(row.symbol, row.second);
      return stored !== undefined && (!isSameOpen(stored, row) || stored.updates >= row.updates);
    };
    for (const row of this.#queue.takeAll()) if (!isStored(row)) this.#enqueue(row);
    for (const { current } of this.#tracks.values()) {
      if (current?.phase === "filling" && isStored(current)) current.phase = "sealed";
    }
  }

  /** Whether rows of an hour, or of an earlier one, are not written yet. */
  isWaiting(hourMs: number): boolean {
    const endSecond = hourMs / 1000 + SECONDS_PER_HOUR;
    if (this.#queue.hasBefore(endSecond)) return true;
    for (const { current } of this.#tracks.values()) {
      if (current?.phase === "filling" && current.second < endSecond) return true;
    }
    return false;
  }

  /** Drops later updates of this hour; undone by `reopen`. */
  refuse(hourMs: number): void {
    this.#closedHours.add(hourMs);
  }

  reopen(hourMs: number): void {
    this.#closedHours.delete(hourMs);
  }

  counts(): Readonly<RecorderCounts> {
    return { ...this.#counts };
  }

  #beginSecond(track: Track, second: number, price: PointPrice): void {
    const { current } = track;
    if (this.#closedHours.has(getHourStart(second))) {
      this.#counts.tooLate++;
      return;
    }
    if (current !== null && second <= current.second) {
      this.#addLate(track, second, price);
      return;
    }
    if (current?.phase === "filling") this.#endSecond(current);
    track.current = createRow(track.symbol, second, price);
  }

  /**
   * Adds an update of a finished second: another source took over whose clock is behind, or this process's clock is
   * ahead.
   */
  #addLate(track: Track, second: number, price: PointPrice): void {
    const waiting = this.#queue.getWaiting(track.symbol, second);
    const stored = waiting ?? this.#readStored(track.symbol, second);
    if (stored !== undefined) this.#counts.merged++;
    if (waiting?.phase === "queued") {
      addUpdate(waiting, price);
      return;
    }
    const row = stored === undefined ? createRow(track.symbol, second, price) : copyRow(stored);
    if (stored !== undefined) addUpdate(row, price);
    if (second === track.current?.second) track.current = row;
    this.#enqueue(row);
  }

  /** Ends a second. A second that an earlier run recorded may be delivered again. */
  #endSecond(row: PendingRow): void {
    const stored = this.#readStored(row.symbol, row.second);
    if (stored !== undefined) {
      const merged = mergeRedelivered(stored, row);
      if (merged === null) {
        row.phase = "sealed";
        this.#counts.repeated++;
        return;
      }
      Object.assign(row, merged);
    }
    this.#enqueue(row);
  }

  /** What this server has stored of a second. The rows of another recorder are not merged with its own. */
  #readStored(symbol: string, second: number): SecondRow | undefined {
    return this.#isStandby ? undefined : this.#options.openHours.readSecond(symbol, second);
  }

  #endSecondsBefore(untilMs: number): void {
    for (const { current } of this.#tracks.values()) {
      if (current?.phase === "filling" && current.second * 1000 < untilMs) this.#endSecond(current);
    }
  }

  #enqueue(row: PendingRow): void {
    if (!this.#queue.add(row)) this.#counts.dropped++;
  }

  /**
   * The moment on the market clock up to which quotes are complete. A recording may be replayed faster than it can be
   * processed. Its clock is then ahead of the quotes, so the clock only counts while there are no quotes.
   */
  #findCompleteMs(): number {
    const isSilent = this.#quotes === this.#quotesAtLastFlush;
    this.#quotesAtLastFlush = this.#quotes;
    const nowMs = this.#options.marketNow();
    return isSilent ? nowMs : Math.min(nowMs, this.#newestQuoteMs);
  }

  async #write(completeUntilMs: number): Promise<void> {
    const { openHours, onRecorded } = this.#options;
    await this.#queue.write((rows) => {
      this.#counts.recorded += rows.length;
      onRecorded(rows, openHours.completeUntilMs);
    });
    onRecorded([], completeUntilMs);
  }
}

/** A sealed row was passed to the database and must not change any more. */
type Phase = "filling" | "queued" | "sealed";

interface PendingRow extends FillingRow {
  phase: Phase;
}

interface QueueOptions {
  /** Writes rows; resolves once they are safe. */
  readonly append: (rows: readonly SecondRow[]) => Promise<void>;
  /** Rows that may wait while the database is unavailable. */
  readonly maxWaiting: number;
  readonly log: Logger;
}

/** Rows in one statement: a few hundred milliseconds' work for the slower database. */
const MAX_BATCH = 10_000;

/** Finished rows that wait for the database, in the order they were finished. */
class RowQueue {
  readonly #options: QueueOptions;
  /** The newest version of each second that is not acknowledged yet, by symbol and second. */
  readonly #waiting = new Map<string, Map<number, PendingRow>>();
  #rows: PendingRow[] = [];
  #isOverflowing = false;

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  /** The newest version of a second that is not acknowledged yet. */
  getWaiting(symbol: string, second: number): PendingRow | undefined {
    return this.#waiting.get(symbol)?.get(second);
  }

  /** The newest second of a symbol that is not acknowledged yet. */
  getNewest(symbol: string): PendingRow | undefined {
    return [...(this.#waiting.get(symbol)?.values() ?? [])].sort((a, b) => b.second - a.second)[0];
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
    let waiting = this.#waiting.get(row.symbol);
    if (waiting === undefined) this.#waiting.set(row.symbol, (waiting = new Map()));
    waiting.set(row.second, row);
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

function createRow(symbol: string, second: number, { digits, bid, ask }: PointPrice): PendingRow {
  return { symbol, digits, second, bid, ask, open: bid, high: bid, low: bid, updates: 1, phase: "filling" };
}

function copyRow({ symbol, digits, second, bid, ask, open, high, low, updates }: SecondRow): PendingRow {
  return { symbol, digits, second, bid, ask, open, high, low, updates, phase: "queued" };
}

/** A price in points. */
type PointPrice = Pick<SecondRow, "digits" | "bid" | "ask">;

/** Folds the updates of one second into its row. Prices are in points. */

/** A row that is still being filled. */
interface FillingRow extends SecondRow {
  digits: number;
  bid: number;
  ask: number;
  open: number;
  high: number;
  low: number;
  updates: number;
}

/** Adds the update that arrived last, in the finer digits of the two: it becomes the close. */
function addUpdate(row: FillingRow, price: PointPrice): void {
  if (price.digits > row.digits) Object.assign(row, raiseRow(row, price.digits));
  const bid = alignPoints(price.bid, price.digits, row.digits);
  row.bid = bid;
  row.ask = alignPoints(price.ask, price.digits, row.digits);
  if (bid > row.high) row.high = bid;
  else if (bid < row.low) row.low = bid;
  row.updates++;
}

/**
 * Merges a second that an earlier run stored with the same second delivered again; null if nothing is new. A feed that
 * starts over delivers the second again, in part or with more updates. A broker that reconnects repeats its last price.
 * Any other updates follow the stored ones.
 */
function mergeRedelivered(before: SecondRow, again: SecondRow): SecondRow | null {
  const digits = Math.max(before.digits, again.digits);
  const [stored, delivered] = [raiseRow(before, digits), raiseRow(again, digits)];
  const startsAlike = delivered.open === stored.open;
  if (startsAlike && isWithin(delivered, stored)) return null;
  if (delivered.updates === 1 && delivered.bid === stored.bid && delivered.ask === stored.ask) return null;
  if (startsAlike && isWithin(stored, delivered)) return delivered;
  return {
    ...delivered,
    open: stored.open,
    high: Math.max(stored.high, delivered.high),
    low: Math.min(stored.low, delivered.low),
    updates: stored.updates + delivered.updates,
  };
}

function isSameOpen(one: SecondRow, other: SecondRow): boolean {
  const digits = Math.max(one.digits, other.digits);
  return raiseRow(one, digits).open === raiseRow(other, digits).open;
}

function isWithin(part: SecondRow, whole: SecondRow): boolean {
  return part.updates <= whole.updates && part.high <= whole.high && part.low >= whole.low;
}
