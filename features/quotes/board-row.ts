import type { BoardRow, Move, WireRow } from "@/features/quotes/types";
import type { QuoteState } from "@/lib/book/freshness";
import type { ServedQuote } from "@/lib/book/quote";

const STATES: readonly QuoteState[] = ["live", "delayed", "stale", "closed"];

export function toWireRow(quote: ServedQuote): WireRow {
  const { symbol, bid, ask, spreadPips, timeMs, source, state } = quote;
  return [symbol, bid, ask, spreadPips, timeMs, source, STATES.indexOf(state)];
}

function getMove(from: number, to: number): Move {
  return to > from ? 1 : to < from ? -1 : 0;
}

/**
 * Returns the row after an update, or `before` itself when nothing changed. A direction lasts until the price moves
 * again. A change of source is not a price move, so it has no flash and no direction.
 */
export function toNextRow(before: BoardRow | undefined, wire: WireRow): BoardRow {
  const [symbol, bid, ask, spreadPips, timeMs, source, code] = wire;
  const state = STATES[code] ?? "stale";
  const update = { symbol, bid, ask, spreadPips, timeMs, source, state };
  if (before === undefined) return { ...update, bidMove: 0, askMove: 0, bidMoves: 0, askMoves: 0 };
  if (source !== before.source) {
    return { ...update, bidMove: 0, askMove: 0, bidMoves: before.bidMoves, askMoves: before.askMoves };
  }
  if (timeMs === before.timeMs && state === before.state && bid === before.bid && ask === before.ask) return before;
  const bidMove = getMove(before.bid, bid);
  const askMove = getMove(before.ask, ask);
  return {
    ...update,
    bidMove: bidMove || before.bidMove,
    askMove: askMove || before.askMove,
    bidMoves: before.bidMoves + Math.abs(bidMove),
    askMoves: before.askMoves + Math.abs(askMove),
  };
}
