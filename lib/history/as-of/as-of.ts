import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool } from "pg";
import { type Book, createBook } from "@/lib/book/book";
import { MOST_AGE_MS, toUsualPause } from "@/lib/book/freshness";
import type { FeedSource } from "@/lib/feeds/feed";
import { BookLogReader, type LogGap, type LoggedQuote } from "@/lib/history/as-of/book-log";
import { PastSeriesCache } from "@/lib/history/as-of/past-bars";
import {
  nameUnnamed,
  type NotRecorded,
  PastChanges,
  type PastReader,
  UNNAMED_SOURCES,
} from "@/lib/history/as-of/past-changes";
import { endTicks, PastDays } from "@/lib/history/as-of/past-days";
import { openPastSpreads } from "@/lib/history/as-of/past-spreads";
import { PastTicks } from "@/lib/history/as-of/past-ticks";
import type { BarHistory } from "@/lib/history/bars/bar-history";
import { JoinedBars } from "@/lib/history/bars/joined-bars";
import type { History } from "@/lib/history/history";
import { createHourColumns, type HourColumns, writeSecond } from "@/lib/history/hour-columns";
import type { Origins } from "@/lib/history/origins";
import type { PastSpreads } from "@/lib/history/spreads/spread-history";
import { StoredHours } from "@/lib/history/spreads/spreads";
import { KEPT_MS, UsualSpreads } from "@/lib/history/spreads/usual-spreads";
import { countCatalogChanges, instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { type PriceSide, toPrice } from "@/lib/market/price";
import type { Sessions } from "@/lib/market/sessions/sessions";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Read } from "@/lib/platform/database/replica";
import { RecentValues } from "@/lib/platform/recent-values";
import { type Clock, monotonicClock } from "@/lib/platform/timing/clock";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly sessions: Pick<Sessions, "openAt">;
  readonly read: Read;
  readonly history: History;
  readonly origins: Pick<Origins, "findMode">;
  /** The sources now, most trusted first: how they were configured then is not recorded. */
  readonly listSources: () => readonly FeedSource[];
  readonly marketNow: Clock;
}

/** The market as it was at the beginning of a second. */
export interface AsOfView {
  /** UTC milliseconds, a whole second. */
  readonly atMs: number;
  readonly book: Book;
  /** Whether the book has every source, and not only the price that was served in each second. */
  readonly hasSources: boolean;
  /** Whether a price was not served then: it was filled in later. */
  readonly hasFilled: boolean;
}

/** The parts of a history that are known of the past. */
export interface PastHistory extends Pick<History, "sides" | "days" | "usualSpreads"> {
  readonly bars: BarHistory;
  readonly spreads: PastSpreads;
  readonly ticks: Pick<History["ticks"], "readRange">;
}

/** Quotes of all books in memory: two hundred have some 100 KB. */
const MAX_QUOTES = 10_000;

/** Symbols and hours whose stored spreads are in memory: some hundred kilobytes each. */
const MAX_SPREAD_HOURS = 64;

/** A book of the log, by the settings that it was made with. */
interface LoggedBook {
  readonly settings: string;
  readonly book: Book;
  readonly quotes: number;
}

/** How many earlier seconds show how often a symbol is quoted. */
const PACE_SECONDS = 100;

/**
 * The market of the past, from recorded seconds: nothing that was received later is in it. The book of a second is that
 * of the log, with every source. Where there is no log, of the time before it was kept or of imported prices, it is made
 * of the ticks: one source without a name, with whole seconds.
 */
export class AsOf {
  /** The recorded changes, for streams of the past. */
  readonly changes: PastReader;
  /** The same with every tick that is stored. */
  readonly ticks: PastTicks;
  readonly #options: Options;
  readonly #log: BookLogReader;
  /** By second and symbols. */
  readonly #books = new RecentValues<string, LoggedBook>(MAX_QUOTES, ({ quotes }) => quotes + 1);
  readonly #series: PastSeriesCache;
  readonly #days: PastDays;
  /** The usual spreads by the end of their seven days. */
  readonly #usual = new RecentValues<number, UsualSpreads>(2, () => 1);
  /** The stored spreads before an hour, by symbol and hour. */
  readonly #spreadHours = new RecentValues<string, StoredHours>(MAX_SPREAD_HOURS, () => 1);
  #created = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#log = new BookLogReader(options.read);
    this.changes = new PastChanges({
      ...{ log: this.#log, open: (...moment) => this.open(...moment) },
      readOrigins: options.history.readOrigins,
      ...{ read: options.read, origins: options.origins, marketNow: options.marketNow },
      ...{ ticks: options.history.ticks, openHours: options.history.openHours },
    });
    this.ticks = new PastTicks({ changes: this.changes, read: options.read, marketNow: options.marketNow });
    this.#series = new PastSeriesCache({
      bars: options.history.bars,
      readBids: async (symbol, fromMs, toMs) => {
        const { parts } = await options.history.ticks.readRange(symbol, fromMs, toMs);
        return parts.flatMap(({ hour: { ticks }, from, to }) =>
          Array.from(ticks.bid.subarray(from, to), (bid) => toPrice(bid, ticks.digits)),
        );
      },
      marketNow: options.marketNow,
    });
    this.#days = new PastDays({ read: options.read, openHours: options.history.openHours, instruments });
  }

  /** The sources now, most trusted first. */
  listSources(): readonly FeedSource[] {
    return this.#options.listSources();
  }

  /** Drops the bars in memory, because stored ones were written again or removed. */
  invalidate(): void {
    this.#series.clear();
    this.#days.clear();
    this.#usual.clear();
    this.#spreadHours.clear();
    this.#log.clear();
  }

  /** Drops the stored spreads in memory, because an hour was closed: it was in memory before, and is stored now. */
  onClosed(): void {
    this.#spreadHours.clear();
  }

  /** Bars, spreads, days and ticks as they were at a moment, UTC milliseconds. */
  readHistory(atMs: number): PastHistory {
    const { pool, sessions, history } = this.#options;
    const ticks = endTicks(history.ticks, atMs);
    const openHours = { completeUntilMs: atMs, getRevision: () => 0 };
    const join = (side: PriceSide) => new JoinedBars({ bars: history.bars, ticks, openHours, side });
    return {
      bars: this.#series.at(atMs),
      // Few callers want them.
      get sides() {
        return { ask: join("ask"), mid: join("mid") };
      },
      days: this.#days.at(atMs),
      ticks,
      usualSpreads: this.#findUsual(Math.floor(atMs / KEPT_MS) * KEPT_MS),
      spreads: openPastSpreads(
        {
          pool,
          sessions,
          openHours: history.openHours,
          spreads: history.spreads,
          openStored: (...hour) => this.#openStored(...hour),
          readHour: (...hour) => this.#readHour(...hour),
        },
        atMs,
      ),
    };
  }

  /** Finds the usual spreads. Those of the present are as old at times. */
  #findUsual(untilMs: number): UsualSpreads {
    const known = this.#usual.get(untilMs);
    if (known !== undefined) return known;
    const past = { now: () => untilMs, untilMs, openHours: { getHours: () => [] } };
    const usual = new UsualSpreads({ pool: this.#options.pool, instruments, monotonic: monotonicClock, ...past });
    this.#usual.keep(untilMs, usual);
    return usual;
  }

  #openStored(symbol: string, untilMs: number): StoredHours {
    const key = `${symbol} ${untilMs}`;
    const known = this.#spreadHours.get(key);
    if (known !== undefined) return known;
    const stored = new StoredHours(this.#options.pool, untilMs);
    this.#spreadHours.keep(key, stored);
    return stored;
  }

  async #readHour(symbol: string, hourMs: number, untilMs: number): Promise<HourColumns> {
    const { parts } = await this.#options.history.ticks.readRange(symbol, hourMs, untilMs);
    const hour = createHourColumns(symbol, parts[0]?.hour.ticks.digits ?? 0, hourMs);
    for (const { hour: ready, from, to } of parts) {
      const { digits, seconds, bid: bids, ask: asks } = ready.ticks;
      for (let i = from; i < to; i++) {
        const [bid, ask] = [bids[i] as number, asks[i] as number];
        const second = hourMs / SECOND_MS + (seconds[i] as number);
        writeSecond(hour, { symbol, digits, second, bid, ask, open: bid, high: bid, low: bid, updates: 1 });
      }
    }
    return hour;
  }

  /**
   * A market without any price at the second of a moment, UTC milliseconds.
   */
  openEmpty(momentMs: number): Book {
    return this.#createBook(Math.floor(momentMs / SECOND_MS), []);
  }

  /**
   * The market at the second of a moment, UTC milliseconds; NotRecorded if no price of the symbols is known.
   *
   * @param symbols those that are read
   */
  async open(momentMs: number, symbols: readonly string[]): Promise<AsOfView | NotRecorded> {
    const second = Math.floor(momentMs / SECOND_MS);
    const atMs = second * SECOND_MS;
    const logged = await this.#findLogged(second, symbols);
    if (logged !== null) return { atMs, book: logged, hasSources: true, hasFilled: false };
    const book = await this.#readTicks(second, symbols);
    if ("beforeMs" in book) return book;
    const hasFilled = symbols.some((symbol) => book.sources(symbol).some(({ source }) => source !== "recorded"));
    return { atMs, book, hasSources: false, hasFilled };
  }

  /** Only the symbols that are read: a second of the log has those of all sources. */
  async #findLogged(second: number, symbols: readonly string[]): Promise<Book | null> {
    const sources = this.#options.listSources();
    const settings = JSON.stringify([countCatalogChanges(), sources]);
    const key = `${second} ${symbols.join()}`;
    const known = this.#books.get(key);
    if (known?.settings === settings) return known.book;
    const quotes = await this.#log.read(second, selectLogged(symbols));
    if (quotes === null) return null;
    const book = this.#createBook(second, addFormer(sources, quotes));
    acceptLogged(book, quotes);
    this.#books.keep(key, { settings, book, quotes: quotes.length });
    return book;
  }

  /** A number of its own, so that nobody takes an answer of one book for that of another. */
  #createBook(second: number, sources: readonly FeedSource[]): Book {
    this.#created++;
    return { ...createBook({ sources, now: () => second * SECOND_MS }), revision: -this.#created };
  }

  async #readTicks(second: number, symbols: readonly string[]): Promise<Book | NotRecorded> {
    const atMs = second * SECOND_MS;
    if (symbols.length === 0) return this.#createBook(second, []);
    const { before, after } = await this.#log.findNearest(second);
    // The log will have this second in a moment.
    if (before !== null && after === null) return { beforeMs: before * SECOND_MS, afterMs: null, isPending: true };
    const { knownUntilMs } = await this.#options.history.ticks.readRange(symbols[0] ?? "", atMs - SECOND_MS, atMs);
    if (knownUntilMs < atMs) return { beforeMs: knownUntilMs, afterMs: null, isPending: true };
    const hours = await this.#findHours(symbols, atMs);
    const loggedMs = (before ?? 0) * SECOND_MS;
    const mayBeKnown = hours.filter(({ symbol, beforeMs }) => {
      const endMs = (beforeMs ?? -Infinity) + HOUR_MS;
      const market = instrumentBySymbol.get(symbol)?.tradingHours;
      return market !== undefined && endMs > loggedMs && (atMs - endMs <= MOST_AGE_MS || !isMarketOpen(market, atMs));
    });
    const modes = mayBeKnown.map(({ symbol }) => this.#options.origins.findMode(symbol, atMs - HOUR_MS, atMs));
    const mode = modes.find((each) => each !== "live") ?? "live";
    const book = this.#createBook(
      second,
      UNNAMED_SOURCES.map((name) => ({ name, mode })),
    );
    const known: { instrument: Instrument; last: LatestTick; gapMs: number | undefined }[] = [];
    for (const { symbol, beforeMs } of mayBeKnown) {
      const instrument = instrumentBySymbol.get(symbol);
      const ticks = await this.#readLatest(symbol, beforeMs ?? 0, atMs);
      const last = ticks.at(-1);
      if (instrument === undefined || last === undefined) continue;
      const [source] = UNNAMED_SOURCES;
      const own = createBook({ sources: [{ name: source, mode }], now: () => atMs });
      for (const tick of ticks) own.accept({ source, instrument, ...tick });
      // In an open market a price that is stale means that nothing was recorded. Between two parts of the log no server
      // ran, so that only what was added later is known.
      if (own.served(symbol)?.state === "stale" || last.timeMs < loggedMs) continue;
      known.push({ instrument, last, gapMs: own.findGapMs(symbol, source) });
      await nextTurn();
    }
    if (known.length === 0) return this.#describeGap(atMs, hours, { before, after });
    const toHour = (timeMs: number) => Math.floor(timeMs / HOUR_MS);
    const findOrigins = await this.#options.history.readOrigins(
      known.map(({ instrument }) => instrument.symbol),
      [...new Set(known.map(({ last }) => toHour(last.timeMs)))],
    );
    for (const { instrument, last, gapMs } of known) {
      const parts = findOrigins(instrument.symbol, toHour(last.timeMs));
      const source = nameUnnamed(parts, (last.timeMs % HOUR_MS) / SECOND_MS);
      book.accept({ source, instrument, ...last }, gapMs);
    }
    return book;
  }

  /** The latest ticks of an hour before a moment, oldest first. */
  async #readLatest(symbol: string, hourMs: number, atMs: number): Promise<LatestTick[]> {
    const { parts } = await this.#options.history.ticks.readRange(symbol, hourMs, Math.min(atMs, hourMs + HOUR_MS));
    const part = parts.at(-1);
    if (part === undefined) return [];
    const { digits, seconds, bid, ask } = part.hour.ticks;
    const found = [];
    for (let i = Math.max(part.from, part.to - PACE_SECONDS); i < part.to; i++) {
      found.push({
        bid: toPrice(bid[i] as number, digits),
        ask: toPrice(ask[i] as number, digits),
        timeMs: hourMs + (seconds[i] as number) * SECOND_MS,
      });
    }
    return found;
  }

  /** The nearest moments at which something was recorded: of all symbols, only the nearest hours are read. */
  async #describeGap(atMs: number, hours: readonly NearHours[], { before, after }: LogGap): Promise<NotRecorded> {
    let [beforeMs, afterMs] = [before === null ? -Infinity : before * SECOND_MS, (after ?? Infinity) * SECOND_MS];
    const lastMs = Math.max(...hours.map((each) => each.beforeMs ?? -Infinity));
    for (const { symbol } of hours.filter((each) => each.beforeMs === lastMs)) {
      if (beforeMs >= Math.min(atMs, lastMs + HOUR_MS)) break;
      const last = (await this.#readLatest(symbol, lastMs, atMs)).at(-1);
      if (last !== undefined) beforeMs = Math.max(beforeMs, last.timeMs + SECOND_MS);
    }
    const nextMs = Math.min(...hours.map((each) => each.afterMs ?? Infinity));
    for (const { symbol } of hours.filter((each) => each.afterMs === nextMs)) {
      const startMs = Math.max(atMs, nextMs);
      if (afterMs <= startMs + SECOND_MS) break;
      const { parts } = await this.#options.history.ticks.readRange(symbol, startMs, nextMs + HOUR_MS);
      const [part] = parts;
      if (part === undefined) continue;
      afterMs = Math.min(afterMs, nextMs + ((part.hour.ticks.seconds[part.from] as number) + 1) * SECOND_MS);
    }
    return {
      beforeMs: Number.isFinite(beforeMs) ? beforeMs : null,
      afterMs: Number.isFinite(afterMs) ? afterMs : null,
    };
  }

  /** The nearest hours of each symbol with a tick before a moment, and with one from it on. */
  async #findHours(symbols: readonly string[], atMs: number): Promise<NearHours[]> {
    const hourMs = Math.floor((atMs - 1) / HOUR_MS) * HOUR_MS;
    const near = (compare: string, order: string) =>
      `(SELECT hour FROM tick_hour WHERE symbol = requested.symbol AND hour ${compare} $2 ORDER BY hour ${order} LIMIT 1)`;
    const { rows } = await this.#options.read((pool) =>
      pool.query<{ symbol: string; before: number | null; own: number | null; after: number | null }>(
        `SELECT symbol, ${near("<", "DESC")} AS before, ${near("=", "ASC")} AS own, ${near(">", "ASC")} AS after
           FROM unnest($1::text[]) AS requested (symbol)`,
        [symbols, hourMs / HOUR_MS],
      ),
    );
    const { ticks, openHours } = this.#options.history;
    await ticks.loadHour(
      rows.flatMap(({ symbol, own }) => (own === null ? [] : symbol)),
      hourMs,
    );
    const found = [];
    for (const { symbol, before, own, after } of rows) {
      const open = openHours.getHours(symbol).map((hour) => hour.hourMs);
      const stored = [before, own, after].flatMap((hour) => (hour === null ? [] : hour * HOUR_MS));
      const all = [...stored, ...open].sort((a, b) => a - b);
      let [beforeMs, afterMs] = [all.findLast((each) => each < hourMs), all.find((each) => each > hourMs)];
      if (all.includes(hourMs)) {
        // The hour of the moment itself may have ticks on one side of it only.
        const { parts } = await ticks.readRange(symbol, hourMs, hourMs + HOUR_MS);
        const { seconds } = parts[0]?.hour.ticks ?? { seconds: [] };
        if ((seconds[0] ?? Infinity) * SECOND_MS < atMs - hourMs) beforeMs = hourMs;
        if ((seconds.at(-1) ?? -Infinity) * SECOND_MS >= atMs - hourMs) afterMs = hourMs;
      }
      found.push({ symbol, beforeMs: beforeMs ?? null, afterMs: afterMs ?? null });
    }
    return found;
  }
}

/** The hours of a symbol nearest to a moment that have a tick before it, and from it on: UTC milliseconds. */
interface NearHours {
  readonly symbol: string;
  readonly beforeMs: number | null;
  readonly afterMs: number | null;
}

interface LatestTick {
  readonly bid: number;
  readonly ask: number;
  readonly timeMs: number;
}

/** The sources now, and after them those that no longer exist. */
function addFormer(sources: readonly FeedSource[], quotes: readonly LoggedQuote[]): FeedSource[] {
  const known = new Set(sources.map(({ name }) => name));
  const former = [...new Set(quotes.map(({ source }) => source))].filter((name) => !known.has(name)).sort();
  return [...sources, ...former.map((name) => ({ name, mode: "live" as const }))];
}

/** Selects the quotes of the log that are of some symbols, or of one that was merged into them. */
function selectLogged(symbols: readonly string[]): (logged: string) => boolean {
  const read = new Set(symbols);
  return (logged) => {
    if (instrumentBySymbol.has(logged)) return read.has(logged);
    const into = findMerged(logged);
    return into !== undefined && read.has(into.symbol);
  };
}

/** The instrument that a symbol was merged into. */
function findMerged(symbol: string): Instrument | undefined {
  const into = catalogResolver.resolve(symbol);
  return into.kind === "found" && into.rule === "alias" ? into.instrument : undefined;
}

/** Accepts the quotes of the log. A source's own quote of a symbol comes before that of one that was merged into it. */
function acceptLogged(book: Book, quotes: readonly LoggedQuote[]): void {
  const merged: [LoggedQuote, Instrument][] = [];
  for (const quote of quotes) {
    const instrument = instrumentBySymbol.get(quote.symbol);
    if (instrument !== undefined) acceptAs(book, instrument, quote);
    else {
      const into = findMerged(quote.symbol);
      if (into !== undefined) merged.push([quote, into]);
    }
  }
  for (const [quote, into] of merged) {
    if (book.servedFrom(into.symbol, quote.source) === undefined) acceptAs(book, into, quote);
  }
}

function acceptAs(book: Book, instrument: Instrument, quote: LoggedQuote): void {
  const { source, digits, bid, ask, timeMs, staleAfterMs } = quote;
  const prices = { bid: toPrice(bid, digits), ask: toPrice(ask, digits) };
  book.accept({ source, instrument, ...prices, timeMs }, toUsualPause(staleAfterMs));
}
