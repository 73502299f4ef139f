import type { QuoteState } from "@/lib/book/freshness";
import type { ServedQuote } from "@/lib/book/quote";
import type { Category } from "@/lib/market/instrument";

/**
 * One line of the quote board: what travels from the server, and what the browser keeps of it. A line on the wire is
 * a bare list, because its field names would be three quarters of a stream that carries hundreds of lines a second.
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

/** A set of lines, and the market's time when it was made: ages are counted on that clock, not on the browser's. */
export interface BoardUpdate {
  readonly nowMs: number;
  readonly rows: readonly WireRow[];
}

/** What does not change while the board is open. */
export interface BoardInstrument {
  readonly symbol: string;
  readonly name: string;
  readonly category: Category;
  readonly digits: number;
  readonly pipSize: number;
}

/** The direction of the last change of one price. */
export type Move = -1 | 0 | 1;

export interface BoardRow {
  readonly symbol: string;
  readonly bid: number;
  readonly ask: number;
  readonly spreadPips: number;
  readonly timeMs: number;
  readonly source: string;
  readonly state: QuoteState;
  readonly bidMove: Move;
  readonly askMove: Move;
  /** How often each price has moved since the row was first seen: a new count is a new flash. */
  readonly bidMoves: number;
  readonly askMoves: number;
}

const STATES: readonly QuoteState[] = ["live", "delayed", "stale", "closed"];

export function wireRow(quote: ServedQuote): WireRow {
  const { symbol, bid, ask, spreadPips, timeMs, source, state } = quote;
  return [symbol, bid, ask, spreadPips, timeMs, source, STATES.indexOf(state)];
}

function moved(from: number, to: number): Move {
  return to > from ? 1 : to < from ? -1 : 0;
}

/**
 * The row after an update. Directions last until the price moves again. A change of source is no move of the market,
 * so it neither flashes nor points anywhere. Returns `before` itself when nothing on the line is different.
 */
export function nextRow(before: BoardRow | undefined, wire: WireRow): BoardRow {
  const [symbol, bid, ask, spreadPips, timeMs, source, code] = wire;
  const state = STATES[code] ?? "stale";
  const news = { symbol, bid, ask, spreadPips, timeMs, source, state };
  if (before === undefined) return { ...news, bidMove: 0, askMove: 0, bidMoves: 0, askMoves: 0 };
  if (source !== before.source) {
    return { ...news, bidMove: 0, askMove: 0, bidMoves: before.bidMoves, askMoves: before.askMoves };
  }
  if (timeMs === before.timeMs && state === before.state && bid === before.bid && ask === before.ask) return before;
  const bidMove = moved(before.bid, bid);
  const askMove = moved(before.ask, ask);
  return {
    ...news,
    bidMove: bidMove || before.bidMove,
    askMove: askMove || before.askMove,
    bidMoves: before.bidMoves + Math.abs(bidMove),
    askMoves: before.askMoves + Math.abs(askMove),
  };
}
