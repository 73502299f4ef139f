import type { QuoteList } from "@/lib/access/quote-list";
import type { QuoteState } from "@/lib/book/freshness";
import type { TradingDay } from "@/lib/market/day-change";
import type { Category } from "@/lib/market/instrument";

/**
 * One row of the board as it is sent. A list, because field names would be three quarters of the stream.
 */
export type WireRow = readonly [
  symbol: string,
  bid: number,
  ask: number,
  spreadPips: number,
  timeMs: number,
  source: string,
  state: number,
];

/** The trading day of one symbol as it is sent: when it began, the last bid before it, and its open, high and low. */
export type WireDay = readonly [
  symbol: string,
  startMs: number,
  previousClose: number | null,
  open: number,
  high: number,
  low: number,
];

/** Rows, and the market's time when they were read. Ages are computed from that time. */
export interface BoardUpdate {
  readonly nowMs: number;
  readonly rows: readonly WireRow[];
  /** Days that began or whose range changed; absent if there is none. */
  readonly days?: readonly WireDay[];
  /** The state of the catalog; absent while it is the same. Another one than the browser's means another list of instruments. */
  readonly catalog?: string;
}

/** The whole board, for a browser without a stream. */
export interface BoardSnapshot extends BoardUpdate {
  /** Why this browser gets no stream now, as a sentence; absent if it may open one. */
  readonly note?: string;
}

/** The prices of a symbol's day: the last bid of each quarter of an hour, null where there was none. */
export interface LoadedLine {
  readonly startMs: number;
  readonly prices: readonly (number | null)[];
}

/**
 * A line as it is sent: when its day began, the digits of its prices, and steps in points of these from one price to the
 * next; the first is from 0.
 */
export type WireLine = readonly [startMs: number, digits: number, steps: readonly (number | null)[]];

/** An account's lists, and the number of their last change. */
export interface SavedLists {
  readonly revision: number;
  readonly lists: readonly QuoteList[];
}

/** The fields of an instrument that the board shows. */
export interface BoardInstrument {
  readonly symbol: string;
  readonly name: string;
  readonly category: Category;
  readonly digits: number;
  readonly pipSize: number;
  /** The currencies whose releases concern it: "EUR,USD". Empty for none. */
  readonly currencies: string;
}

/** An instrument as it is sent; its category is its place in CATEGORIES. */
export type WireInstrument = readonly [
  symbol: string,
  name: string,
  category: number,
  digits: number,
  pipSize: number,
  currencies: string,
];

/** All instruments in one state of the catalog. */
export interface ListedInstruments {
  readonly catalog: string;
  readonly instruments: readonly WireInstrument[];
}

/** The direction of the last change of one price. */
export type Move = -1 | 0 | 1;

/** One row of the board in the browser. */
export interface BoardRow {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly spreadPips: number;
  readonly timeMs: number;
  readonly source: string;
  readonly state: QuoteState;
  /** Its range includes the row's bid. Null until the symbol's day is known. */
  readonly day: TradingDay | null;
  readonly bidMove: Move;
  readonly askMove: Move;
  /** How often each price has moved since the row was first seen. A new count is a new flash. */
  readonly bidMoves: number;
  readonly askMoves: number;
}

/** The quotes of one symbol by source. */
export interface SourceBoard {
  /** Its currencies that have economic events. */
  readonly currencies: readonly string[];
  readonly sources: readonly SourceLine[];
}

export interface SourceLine {
  readonly source: string;
  readonly bid: number;
  readonly ask: number;
  readonly spreadPips: number;
  readonly timeMs: number;
  readonly state: QuoteState;
}
