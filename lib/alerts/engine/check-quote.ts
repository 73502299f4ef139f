import { isEventCondition } from "@/lib/alerts/conditions/condition";
import {
  evaluateMove,
  evaluatePrice,
  evaluateSpread,
  evaluateState,
  type Verdict,
} from "@/lib/alerts/conditions/evaluate";
import { computeMoves, findMove } from "@/lib/alerts/conditions/price-window";
import { buildQuoteFacts, countPoints, type FiringFacts } from "@/lib/alerts/engine/facts";
import type { WatchedAlert } from "@/lib/alerts/engine/watched-alert";
import type { ServedQuote } from "@/lib/book/quote";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { getSpreadPips } from "@/lib/market/price";

/** The usual spreads of symbols, in points. */
export type UsualPoints = ReadonlyMap<string, { readonly p95: number }>;

export interface Moment {
  /** The market clock, UTC milliseconds. */
  readonly nowMs: number;
  readonly usual: UsualPoints;
}

/**
 * Evaluates a condition on a symbol. Returns null if nothing has changed. Only a live or delayed price counts: a stale
 * one was evaluated when it was fresh, and one outside trading hours cannot be dealt at.
 */
export function checkQuote(
  { condition, state, window }: WatchedAlert,
  quote: ServedQuote,
  { nowMs, usual }: Moment,
): Verdict | null {
  if (isEventCondition(condition)) return null;
  if (condition.type === "state") return evaluateState(condition, state, quote.state);
  const isTradable = (quote.state === "live" || quote.state === "delayed") && quote.ask >= quote.bid;
  if (!isTradable) return null;
  if (condition.type === "price") return evaluatePrice(condition, state, quote);
  if (condition.type === "move") {
    return window === null ? null : evaluateMove(condition, state, computeMoves(quote.bid, window, nowMs));
  }
  const p95 = usual.get(condition.symbol)?.p95;
  return p95 === undefined ? null : evaluateSpread(countPoints(quote), p95, state);
}

/** Puts the reason of a firing in words and values. */
export function explainQuote({ condition, window }: WatchedAlert, quote: ServedQuote, moment: Moment): FiringFacts {
  if (isEventCondition(condition)) throw new Error("A condition on events has no quote.");
  if (condition.type === "move" && window !== null) {
    const moves = computeMoves(quote.bid, window, moment.nowMs);
    return buildQuoteFacts(condition, quote, findMove(moves, condition.percent, condition.direction) ?? 0);
  }
  const points = moment.usual.get(condition.symbol)?.p95 ?? 0;
  return buildQuoteFacts(condition, quote, toPips(points, condition.symbol));
}

function toPips(points: number, symbol: string): number {
  const instrument = instrumentBySymbol.get(symbol);
  return instrument === undefined ? 0 : getSpreadPips(0, points / 10 ** instrument.digits, instrument.pipSize);
}
