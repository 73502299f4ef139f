import type { Pool } from "pg";
import { createPace } from "@/lib/book/freshness";
import { type FeedSource, nameQuote } from "@/lib/feeds/feed";
import type { Quote } from "@/lib/feeds/intake";
import { setAsideBook } from "@/lib/history/ahead";
import { type BookChange, decodeBook, encodeBook, type SourceChanges } from "@/lib/history/as-of/book-block";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { type RecorderWork, repeatWithLease } from "@/lib/history/recording/while-recording";
import { findFirstAt } from "@/lib/history/ticks/ready-hours";
import { fitDigits, MAX_POINTS, toPoints } from "@/lib/market/price";
import type { Read } from "@/lib/platform/database/replica";
import type { Logger } from "@/lib/platform/log/log";
import { RecentValues } from "@/lib/platform/recent-values";
import type { Clock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

/**
 * The log of the book in the database: the newest quote of every source at the end of each second of the market clock, by
 * the time at which it was received. A row is whole, with the book at its beginning, or continues the row before. Each
 * minute the rows of its seconds become a whole one, earlier with many changes. A server that starts, or takes over, begins
 * with a whole row, so time in which nobody recorded is a gap between two rows.
 */

interface Options {
  readonly pool: Pool;
  /** The usual pause between the updates of a source, as the book has learnt it. */
  readonly findGapMs: (symbol: string, source: string) => number | undefined;
  readonly marketNow: Clock;
  readonly log: Logger;
  /** Changes that may wait while the database is unavailable. */
  readonly maxWaiting?: number;
}

const MAX_WAITING = 500_000;
/** The length of a whole row, in seconds. With so many changes, which take some 20 ms to encode, it ends earlier. */
const ROW_SECONDS = 60;
const ROW_CHANGES = 30_000;
/** The clock is read by several parts, so that it may be behind by this much without having been set. */
const FUTURE_SECONDS = 5;
/** Seconds of so many changes are written at once after the database was unavailable. */
const MAX_BATCH = 10_000;

interface Slot {
  readonly symbol: string;
  readonly source: string;
  /** The newest quote, and the pause that the book had learnt with it. */
  quote: Quote | null;
  gapMs: number;
  /** When it was received, in whole seconds. */
  second: number;
  /** Whether the quote is not among the changes yet. */
  isNew: boolean;
  /** The newest change; null if it was dropped. */
  change: BookChange | null;
}

/** The row that is filling, as far as it is stored. */
interface Row {
  readonly since: number;
  readonly until: number;
  /** The book at the beginning. */
  readonly start: readonly BookChange[];
  readonly changes: readonly BookChange[];
}

/** Seconds that wait to be stored: from the end of those before, or of the row. */
interface Waiting {
  until: number;
  changes: BookChange[];
}

/** Writes the log, while this server records. */
export class BookLog {
  readonly #options: Options;
  readonly #slots = new Map<string, Map<string, Slot>>();
  /** Finished changes of seconds that do not wait yet. */
  #changes: BookChange[] = [];
  #waiting: Waiting[] = [];
  #row: Row | null = null;
  /** All changes before this second are finished. */
  #until = 0;

  constructor(options: Options) {
    this.#options = options;
  }

  /** Accepts a quote that the book has just accepted. */
  onQuote(quote: Quote): void {
    const slot = this.#getSlot(quote.instrument.symbol, quote.source);
    // A quote that comes late from its feed was not in the book before.
    const second = Math.max(this.#until, Math.floor(quote.receivedAtMs / SECOND_MS));
    if (slot.isNew && slot.second < second) this.#finish(slot);
    slot.quote = quote;
    slot.gapMs = this.#options.findGapMs(slot.symbol, slot.source) ?? 0;
    slot.second = second;
    slot.isNew = true;
  }

  /** Drops the quotes that the book has just dropped. */
  onSources(sources: readonly FeedSource[], dropped: ReadonlySet<string>): void {
    const kept = new Set(sources.map(({ name }) => name));
    for (const bySource of this.#slots.values()) {
      for (const slot of bySource.values()) {
        const { symbol, source } = slot;
        if (kept.has(source) && !dropped.has(source) && !dropped.has(nameQuote(source, symbol))) continue;
        if (slot.quote !== null) this.#drop(slot);
      }
    }
  }

  /** Stores all that is finished. Throws LeaseLost unless `fence` holds the lease; then the log begins anew. */
  async flush(fence: number): Promise<void> {
    const until = Math.floor(this.#options.marketNow() / SECOND_MS);
    if (until < this.#until) {
      if (until + FUTURE_SECONDS >= this.#until) return;
      // The clock was ahead.
      this.end();
      this.#until = until;
    }
    this.#finishBefore(until);
    if (this.#row === null) return this.#begin(fence, until);
    this.#wait(this.#row, until);
    for (let row: Row | null = this.#row; row !== null; row = this.#row) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      this.#row = await this.#store(fence, row, next);
      this.#waiting.shift();
    }
  }

  async #begin(fence: number, until: number): Promise<void> {
    await setAsideBook(this.#options.pool, fence, until);
    const start = this.#copyBook(until - 1);
    this.#row = { since: until, until, start, changes: [] };
    try {
      await this.#write(fence, { since: until, until, changes: start, isWhole: true });
    } catch (error) {
      this.end();
      throw error;
    }
  }

  /** Adds the seconds that are finished to those that wait. */
  #wait({ until: stored }: Row, until: number): void {
    const last = this.#waiting.at(-1);
    const changes = this.#changes;
    if (until === (last?.until ?? stored)) return;
    this.#changes = [];
    if (last !== undefined && last.changes.length + changes.length <= MAX_BATCH) {
      last.until = until;
      last.changes = last.changes.concat(changes);
    } else {
      this.#waiting.push({ until, changes });
    }
    const count = this.#waiting.reduce((sum, each) => sum + each.changes.length, 0);
    if (count <= (this.#options.maxWaiting ?? MAX_WAITING)) return;
    this.#options.log.error({ changes: count }, "the log of the book is full; seconds of it are lost");
    this.end();
  }

  /** Stores what continues a row. Returns the row with it, or the next one. */
  async #store(fence: number, row: Row, { until, changes: added }: Waiting): Promise<Row> {
    const { since, start } = row;
    const changes = row.changes.concat(added);
    if (until - since < ROW_SECONDS && changes.length < ROW_CHANGES) {
      await this.#write(fence, { since: row.until, until, changes: added, isWhole: false });
      return { since, until, start, changes };
    }
    const all = start.concat(changes);
    await this.#write(fence, { since, until, changes: all, isWhole: true });
    return { since: until, until, start: listNewest(all, until - 1), changes: [] };
  }

  /** Ends the row. The next one begins anew. */
  end(): void {
    this.#row = null;
    this.#changes = [];
    this.#waiting = [];
  }

  /** Writes the log once a second until it is stopped. */
  run(fence: number): RecorderWork {
    const { log } = this.#options;
    this.end();
    const flushes = repeatWithLease(() => this.flush(fence), {
      pauseMs: SECOND_MS,
      onFailure: (error) => log.error({ err: error }, "the log of the book cannot be written; it waits in memory"),
      onRecovery: () => log.info("the log of the book is written again"),
    });
    return {
      stop: async () => {
        await flushes.stop();
        await this.flush(fence).catch(() => {});
        this.end();
      },
    };
  }

  #getSlot(symbol: string, source: string): Slot {
    let bySource = this.#slots.get(symbol);
    if (bySource === undefined) this.#slots.set(symbol, (bySource = new Map<string, Slot>()));
    let slot = bySource.get(source);
    if (slot === undefined) {
      slot = { symbol, source, quote: null, gapMs: 0, second: 0, isNew: false, change: null };
      bySource.set(source, slot);
    }
    return slot;
  }

  #finish(slot: Slot): void {
    const { symbol, source, quote, gapMs, second } = slot;
    slot.isNew = false;
    if (quote === null) return;
    const digits = fitDigits(quote.ask, quote.instrument.digits);
    const [bid, ask] = [toPoints(quote.bid, digits), toPoints(quote.ask, digits)];
    // A price that cannot be stored exactly is not stored: its source has none then.
    const isExact = ask <= MAX_POINTS;
    const staleAfterMs = Math.floor(createPace(gapMs).staleAfterMs);
    const prices = isExact ? { bid, ask } : { bid: 0, ask: 0 };
    this.#add(slot, { symbol, source, digits, second, ...prices, timeMs: quote.timeMs, staleAfterMs });
  }

  #drop(slot: Slot): void {
    const { symbol, source } = slot;
    const second = Math.max(this.#until, Math.floor(this.#options.marketNow() / SECOND_MS));
    if (slot.isNew && slot.second < second) this.#finish(slot);
    slot.quote = null;
    slot.isNew = false;
    this.#add(slot, {
      ...{ symbol, source, second, digits: 0, bid: 0, ask: 0 },
      ...{ timeMs: second * SECOND_MS, staleAfterMs: 0 },
    });
  }

  #add(slot: Slot, change: BookChange): void {
    slot.change = change.ask === 0 ? null : change;
    if (this.#row !== null) this.#changes.push(change);
  }

  #finishBefore(until: number): void {
    for (const bySource of this.#slots.values()) {
      for (const slot of bySource.values()) if (slot.isNew && slot.second < until) this.#finish(slot);
    }
    this.#until = until;
  }

  /** The book as of a second. */
  #copyBook(second: number): BookChange[] {
    return [...this.#slots.values()].flatMap((bySource) =>
      [...bySource.values()].flatMap(({ change }) => (change === null ? [] : { ...change, second })),
    );
  }

  async #write(
    fence: number,
    { since, until, changes, isWhole }: Omit<Row, "start"> & { isWhole: boolean },
  ): Promise<void> {
    const { rowCount } = await this.#options.pool.query(
      `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $1 FOR KEY SHARE),
            joined AS (DELETE FROM book_log USING lease
                        WHERE $4 AND since >= $2 AND until <= $3 AND NOT (since = $2 AND until = $3))
       INSERT INTO book_log (since, until, whole, block)
       SELECT $2::int4, $3::int4, $4::boolean, $5::bytea FROM lease
       ON CONFLICT (since, until) DO UPDATE SET whole = excluded.whole, block = excluded.block`,
      [fence, since, until, isWhole, encodeBook(since, changes)],
    );
    if (rowCount === 0) {
      this.end();
      throw new LeaseLost();
    }
  }
}

/** The newest change of each source as of a second, without dropped ones. `changes` are in their order. */
function listNewest(changes: readonly BookChange[], second: number): BookChange[] {
  const newest = new Map(changes.map((change) => [nameQuote(change.source, change.symbol), change]));
  return [...newest.values()].flatMap((change) => (change.ask === 0 ? [] : { ...change, second }));
}

/** The newest change of each source before a second. */
export type LoggedQuote = Pick<SourceChanges, "symbol" | "source" | "digits"> &
  Pick<BookChange, "bid" | "ask" | "timeMs" | "staleAfterMs">;

/** Rows of the log that continue each other, decoded. */
interface Chain {
  readonly since: number;
  readonly until: number;
  /** The changes of each symbol by source, in the order of the rows. */
  readonly bySymbol: ReadonlyMap<string, readonly SourceChanges[]>;
  readonly cost: number;
}

/** Seconds that were not recorded, between the end of one row and the beginning of the next, in Unix time. */
export interface LogGap {
  /** Null at the beginning of the log. */
  readonly before: number | null;
  /** Null at its end. */
  readonly after: number | null;
}

/** Gaps in memory. The last one has no end and is not among them. */
const MAX_GAPS = 100;

/** A stored row; see BookLog. */
interface LogRow {
  readonly since: number;
  readonly until: number;
  readonly whole: boolean;
  readonly block: Buffer;
}

/** Rows that are read at once: eight minutes, or as many times 30,000 changes. */
const PAGE_ROWS = 8;
/** The greatest stored second. */
const MAX_SECOND = 2 ** 31 - 1;

/** The numbers of decoded rows in memory: some 30 MB, which is an hour of a hundred busy sources. */
const MAX_COST = 4_000_000;

/** Reads the log, and keeps what was read last in memory. */
export class BookLogReader {
  readonly #read: Read;
  readonly #chains = new RecentValues<number, Chain>(MAX_COST, ({ cost }) => cost);
  readonly #gaps = new RecentValues<number, LogGap>(MAX_GAPS, () => 1);

  constructor(read: Read) {
    this.#read = read;
  }

  /**
   * The quotes of all sources at the beginning of a second, Unix time; null if it was not recorded.
   *
   * @param isRead whether the quotes of a symbol are among them
   */
  async read(second: number, isRead: (symbol: string) => boolean = () => true): Promise<readonly LoggedQuote[] | null> {
    const known = this.#find(second);
    if (known === undefined && this.#findGap(second) !== undefined) return null;
    const chain = known ?? (await this.#load(second));
    return chain === null || chain.until < second ? null : listQuotes(chain, second, isRead);
  }

  /** The nearest seconds that were recorded, before and after one that was not; null without any. */
  async findNearest(second: number): Promise<LogGap> {
    const known = this.#findGap(second);
    if (known !== undefined) return known;
    const { rows } = await this.#read((pool) =>
      pool.query<{ before: number | null; after: number | null }>(
        `SELECT (SELECT until FROM book_log WHERE since <= $1 ORDER BY since DESC, until DESC LIMIT 1) AS before,
                (SELECT since FROM book_log WHERE since > $1 ORDER BY since LIMIT 1) AS after`,
        [second],
      ),
    );
    const gap = rows[0] ?? { before: null, after: null };
    if (gap.after !== null && (gap.before === null || gap.before < second)) this.#gaps.keep(gap.after, gap);
    return gap;
  }

  #findGap(second: number): LogGap | undefined {
    for (const gap of this.#gaps.values()) {
      const { before, after } = gap;
      if (after !== null && second < after && (before === null || before < second)) return gap;
    }
    return undefined;
  }

  /** Drops what is in memory, because stored rows were removed. */
  clear(): void {
    this.#chains.clear();
    this.#gaps.clear();
  }

  /**
   * Reads the rows of [from, to) in their order, a few at a time, from the whole row that leads to `from` on. Ends where
   * no further one is stored yet.
   *
   * @param isContinued whether everything before `from` was read already: rows before it are left out then
   */
  async *readRows(from: number, to: number, isContinued: boolean): AsyncGenerator<LogRow> {
    let at = isContinued ? from : await this.#findStart(from);
    /** The last beginning of a log, which is a row without seconds. */
    let begunAt = -1;
    let next = this.#readPage(at, to);
    for (;;) {
      const rows = (await next).filter(({ since, until }) => until > at || (since === at && begunAt !== at));
      const end = rows.reduce((most, { until }) => Math.max(most, until), at);
      if (rows.length === 0) return;
      // The next ones are read while these are sent.
      next = this.#readPage(end, to);
      next.catch(() => {});
      for (const row of rows) {
        if (row.since === row.until) begunAt = row.since;
        yield row;
      }
      at = end;
    }
  }

  /** The whole row before a second, with which its book begins. */
  async #findStart(second: number): Promise<number> {
    const { rows } = await this.#read((pool) =>
      pool.query<{ since: number | null }>(
        "SELECT since FROM book_log WHERE whole AND since <= $1 ORDER BY since DESC LIMIT 1",
        [second],
      ),
    );
    return rows[0]?.since ?? second;
  }

  /** Rows that have seconds from `at` on, or begin there, and the whole one that they continue was read. */
  async #readPage(at: number, to: number): Promise<LogRow[]> {
    const { rows } = await this.#read((pool) =>
      pool.query<LogRow>(
        `SELECT since, until, whole, block FROM book_log
          WHERE since >= coalesce((SELECT since FROM book_log WHERE whole AND since <= $1 ORDER BY since DESC LIMIT 1), $1)
            AND since < $2 AND (until > $1 OR (whole AND since = $1))
          ORDER BY since, whole DESC, until LIMIT ${PAGE_ROWS}`,
        [at, Math.min(to, MAX_SECOND)],
      ),
    );
    return rows;
  }

  /** Whether anything was recorded in [from, to). */
  async hasRows(from: number, to: number): Promise<boolean> {
    const { rows } = await this.#read((pool) =>
      pool.query(
        `SELECT FROM book_log
          WHERE since >= coalesce((SELECT since FROM book_log WHERE whole AND since <= $1 ORDER BY since DESC LIMIT 1), $1)
            AND since < $2 AND until >= $1 LIMIT 1`,
        [from, Math.min(to, MAX_SECOND)],
      ),
    );
    return rows.length > 0;
  }

  #find(second: number): Chain | undefined {
    for (const { since, until } of this.#chains.values()) {
      if (since <= second && second <= until) return this.#chains.get(since);
    }
    return undefined;
  }

  async #load(second: number): Promise<Chain | null> {
    const { rows } = await this.#read((pool) =>
      pool.query<LogRow>(
        `SELECT since, until, whole, block FROM book_log
          WHERE since >= (SELECT since FROM book_log WHERE whole AND since <= $1 ORDER BY since DESC LIMIT 1)
            AND since <= $1
          ORDER BY since, whole DESC, until`,
        [second],
      ),
    );
    const [first] = rows;
    if (first === undefined) return null;
    let until = first.since;
    const bySymbol = new Map<string, SourceChanges[]>();
    let cost = 1;
    for (const row of rows) {
      if (row.since > until) break;
      for (const group of decodeBook(row.since, row.block)) {
        const groups = bySymbol.get(group.symbol);
        if (groups === undefined) bySymbol.set(group.symbol, [group]);
        else groups.push(group);
        cost += 5 * group.seconds.length + 20;
      }
      until = Math.max(until, row.until);
    }
    const chain = { since: first.since, until, bySymbol, cost };
    // One that still grows is read again for a later second.
    if (until > first.since) this.#chains.keep(first.since, chain);
    return chain;
  }
}

/** A quote that is received in a second is in the book from the beginning of the next one on. */
function listQuotes({ bySymbol }: Chain, second: number, isRead: (symbol: string) => boolean): LoggedQuote[] {
  const quotes: LoggedQuote[] = [];
  for (const [symbol, groups] of bySymbol) {
    if (!isRead(symbol)) continue;
    const bySource = new Map<string, LoggedQuote>();
    for (const { source, digits, bids, asks, timesMs, staleAftersMs, seconds } of groups) {
      const at = findFirstAt({ seconds }, second) - 1;
      if (at < 0) continue;
      const get = (column: Float64Array) => column[at] as number;
      bySource.set(source, {
        ...{ symbol, source, digits, bid: get(bids), ask: get(asks) },
        ...{ timeMs: get(timesMs), staleAfterMs: get(staleAftersMs) },
      });
    }
    for (const quote of bySource.values()) if (quote.ask !== 0) quotes.push(quote);
  }
  return quotes;
}
