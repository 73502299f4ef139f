import type { BoardRow, BoardUpdate, Move, WireDay, WireRow } from "@/features/quotes/types";
import type { QuoteState } from "@/lib/book/freshness";
import type { ServedQuote } from "@/lib/book/quote";
import { extendDay, type TradingDay } from "@/lib/market/day-change";

const STATES: readonly QuoteState[] = ["live", "delayed", "stale", "closed"];

export function toWireRow(quote: ServedQuote): WireRow {
  const { symbol, bid, ask, spreadPips, timeMs, source, state } = quote;
  return [symbol, bid, ask, spreadPips, timeMs, source, STATES.indexOf(state)];
}

export function toWireDay(symbol: string, { startMs, previousClose, open, high, low }: TradingDay): WireDay {
  return [symbol, startMs, previousClose, open, high, low];
}

export function readWireDay([, startMs, previousClose, open, high, low]: WireDay): TradingDay {
  return { startMs, previousClose, open, high, low };
}

/** Returns the row with another day. A price that is newer than the day extends its range. */
export function withDay(row: BoardRow, day: TradingDay): BoardRow {
  return { ...row, day: extendDay(day, row.bid) };
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
  if (before === undefined) return { ...update, day: null, bidMove: 0, askMove: 0, bidMoves: 0, askMoves: 0 };
  const day = before.day && extendDay(before.day, bid);
  if (source !== before.source) {
    return { ...update, day, bidMove: 0, askMove: 0, bidMoves: before.bidMoves, askMoves: before.askMoves };
  }
  if (timeMs === before.timeMs && state === before.state && bid === before.bid && ask === before.ask) return before;
  const bidMove = getMove(before.bid, bid);
  const askMove = getMove(before.ask, ask);
  return {
    ...update,
    day,
    bidMove: bidMove || before.bidMove,
    askMove: askMove || before.askMove,
    bidMoves: before.bidMoves + Math.abs(bidMove),
    askMoves: before.askMoves + Math.abs(askMove),
  };
}

/** The rows that a board is rendered with, by symbol. */
export function readInitialRows({ rows, days = [] }: Pick<BoardUpdate, "rows" | "days">) {
  const dayBySymbol = new Map(days.map((day) => [day[0], readWireDay(day)]));
  return new Map(
    rows.map((wire) => {
      const [row, day] = [toNextRow(undefined, wire), dayBySymbol.get(wire[0])];
      return [wire[0], day === undefined ? row : withDay(row, day)];
    }),
  );
}
