import { setTimeout as pause } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { toWireDay, toWireRow } from "@/features/quotes/board-row";
import { includesWords, isMovingSort, sortBoard } from "@/features/quotes/board-view";
import { encodeLine } from "@/features/quotes/spark-lines";
import type { BoardUpdate, ListedInstruments, SourceBoard, WireInstrument, WireLine } from "@/features/quotes/types";
import type { BoardChoice } from "@/features/quotes/url";
import type { FirstSearch } from "@/features/quotes/use-sorted";
import type { QuoteList } from "@/lib/access/quote-list";
import { toPips } from "@/lib/api/history/spread-comparison";
import { listReleaseCurrencies } from "@/lib/calendar/read-news";
import { countCatalogChanges, instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { CATEGORIES, type Instrument } from "@/lib/market/instrument";
import { searchInstruments } from "@/lib/market/symbol-search";
import type { Runtime } from "@/lib/runtime";

/** The parts of the runtime that the board reads. */
export type BoardRuntime = Pick<Runtime, "book" | "marketNow"> & { readonly history: Pick<Runtime["history"], "days"> };

/** All instruments, in the catalogue's order. */
export function listInstruments(): ListedInstruments {
  const changes = countCatalogChanges();
  if (kept?.changes !== changes) {
    const sent = instruments.map((instrument) => {
      const { symbol, name, category, digits, pipSize } = instrument;
      const currencies = listReleaseCurrencies(instrument).join();
      return [symbol, name, CATEGORIES.indexOf(category), digits, pipSize, currencies] as const;
    });
    kept = { changes, listed: { catalog: hashInstruments(sent), instruments: sent } };
  }
  return kept.listed;
}

let kept: { readonly changes: number; readonly listed: ListedInstruments } | undefined;

/** The same in every process with the same instruments, in whatever order they came. */
function hashInstruments(sent: readonly WireInstrument[]): string {
  const hash = sent.reduce((all, instrument) => all ^ crc32(JSON.stringify(instrument)), 0);
  return `${sent.length}-${(hash >>> 0).toString(16)}`;
}

/** Finds what a search of the page's address means beside words of symbols and names: an alias, a broker's spelling. */
export function findFirst(search: string): FirstSearch {
  const found = searchInstruments(instruments, search, catalogResolver).filter((each) => !includesWords(each, search));
  return { search, found: found.slice(0, MOST_FOUND).map(({ symbol }) => symbol) };
}

const MOST_FOUND = 20;

/** Most boards are rendered with all of their rows; a longer one with those that are seen first, as its stream has all. */
const MOST_RENDERED = 400;
const FIRST_RENDERED = 80;

/** Reads what a page of the board is rendered with, before its stream. */
export function readFirstBoard(runtime: BoardRuntime, choice: BoardChoice, lists: readonly QuoteList[]): BoardUpdate {
  const { filter, list, open, search, shared, sort } = choice;
  if (instruments.length <= MOST_RENDERED || isMovingSort(sort)) return readBoard(runtime);
  const symbols = shared?.symbols ?? lists.find(({ slug }) => slug === list)?.symbols;
  const others = new Set(findFirst(search).found);
  const found = (symbols?.flatMap((symbol) => instrumentBySymbol.get(symbol) ?? []) ?? instruments).filter(
    (each) =>
      (filter === "all" || each.category === filter) &&
      (search.trim() === "" || others.has(each.symbol) || includesWords(each, search)),
  );
  const first = sortBoard(found, sort, () => ({ row: null, usual: undefined })).slice(0, FIRST_RENDERED);
  const opened = open.flatMap((symbol) => instrumentBySymbol.get(symbol) ?? []);
  return readBoard(runtime, [...new Set([...first, ...opened])]);
}

/**
 * Reads the board now: all of it, or some instruments. Symbols without a quote have no row, and those without a recorded
 * price no day.
 */
export function readBoard(
  { book, history, marketNow }: BoardRuntime,
  read: readonly Pick<Instrument, "symbol">[] = instruments,
): BoardUpdate {
  const rows = read.flatMap(({ symbol }) => {
    const quote = book.served(symbol);
    return quote === undefined ? [] : [toWireRow(quote)];
  });
  const days = read.flatMap(({ symbol }) => {
    const day = history.days.read(symbol);
    return day === undefined ? [] : [toWireDay(symbol, day)];
  });
  return { nowMs: Math.floor(marketNow()), rows, days, catalog: listInstruments().catalog };
}

/** How long a page waits for the days. They are in memory except after a start, and the stream sends them once they are. */
const DAYS_WAIT_MS = 300;

/** Loads the days of all symbols, for a short time; a failure leaves them out. */
export async function awaitDays({ history }: Pick<BoardRuntime, "history">): Promise<void> {
  await Promise.race([history.days.load().catch(() => {}), pause(DAYS_WAIT_MS)]);
}

/** Reads the prices of every symbol's day. */
export async function readLines({ history }: Pick<BoardRuntime, "history">): Promise<Record<string, WireLine>> {
  await history.days.load();
  return Object.fromEntries(
    instruments.flatMap(({ symbol }) => {
      const day = history.days.read(symbol);
      return day === undefined ? [] : [[symbol, encodeLine(day.startMs, history.days.readQuarters(symbol))]];
    }),
  );
}

/** Reads the usual spread of every symbol that has one, in pips: the 5th and 95th percentile over seven days. */
export async function readUsual({ history }: Pick<Runtime, "history">): Promise<Record<string, [number, number]>> {
  const spreads = await history.usualSpreads.read();
  return Object.fromEntries(
    instruments.flatMap((instrument) => {
      const usual = spreads.get(instrument.symbol);
      if (usual === undefined) return [];
      return [[instrument.symbol, [toPips(usual.p5, instrument), toPips(usual.p95, instrument)]]];
    }),
  );
}

/** Currencies with economic events; coins, metals and shares have those of the currency that they are priced in. */
const EVENT_CURRENCIES: ReadonlySet<string> = new Set(["USD", "EUR", "GBP", "JPY", "CHF", "AUD", "CAD", "NZD"]);

/** Reads the quote of every source for one instrument. */
export function readSources({ book }: Pick<BoardRuntime, "book">, { symbol, base, quote }: Instrument): SourceBoard {
  return {
    currencies: [base, quote].flatMap((code) => (code !== null && EVENT_CURRENCIES.has(code) ? code : [])),
    sources: book.sources(symbol).map(({ source, bid, ask, spreadPips: pips, timeMs, state }) => ({
      source,
      bid,
      ask,
      spreadPips: pips,
      timeMs,
      state,
    })),
  };
}
