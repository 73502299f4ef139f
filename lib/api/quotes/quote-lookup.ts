import { formatHeaderLine } from "@/lib/api/engine/call";
import type { HandlerRequest } from "@/lib/api/engine/endpoint";
import { ApiError } from "@/lib/api/engine/errors";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbol } from "@/lib/api/engine/symbol-access";
import type { Book } from "@/lib/book/book";
import type { QuoteState } from "@/lib/book/freshness";
import type { ServedQuote } from "@/lib/book/quote";
import type { Origins } from "@/lib/history/origins";
import type { DataMode } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { isSpelling, MAX_CALLER_SPELLING_LENGTH, type Resolver } from "@/lib/market/resolver";

type HistoryOrigins = Pick<Origins, "findMode">;

/** Finds the instrument that a call names. Throws 403 PERMISSION_DENIED if its key may not read it. */
export function findPermitted(spelling: string, key: HandlerRequest<unknown, unknown>["key"], resolver: Resolver) {
  const instrument = findInstrument(spelling, resolver);
  requireSymbol(key, instrument.symbol);
  return instrument;
}

/**
 * Finds the instrument of a spelling. Throws 404 SYMBOL_NOT_FOUND, with up to three suggestions, if it is not clear, and
 * 400 INVALID_SYMBOL if no symbol could be spelled so.
 */
export function findInstrument(spelling: string, resolver: Resolver): Instrument {
  return resolver.find(spelling) ?? throwNotFound(spelling, resolver);
}

/** Characters of a name that a message repeats. */
const MAX_NAMED = 64;

function throwNotFound(spelling: string, resolver: Resolver): never {
  const symbol = spelling.slice(0, MAX_NAMED).toWellFormed();
  if (!isSpelling(spelling)) {
    const names = spelling.split(/[,;|]/).map((name) => name.trim());
    if (names.length > 1 && names.some((name) => resolver.find(name) !== undefined)) {
      const way = "This takes one symbol. For several: POST /v1/quotes, or an endpoint with the parameter symbols.";
      throw new ApiError("INVALID_SYMBOL", way, { symbol });
    }
    const accepted = `at most ${MAX_CALLER_SPELLING_LENGTH} letters, digits and signs such as / _ - . # +`;
    throw new ApiError("INVALID_SYMBOL", `The symbol must have ${accepted}.`, { symbol });
  }
  const resolution = resolver.resolve(spelling);
  if (resolution.kind === "ambiguous") {
    const names = resolution.candidates.join(", ");
    throw new ApiError("SYMBOL_NOT_FOUND", `The name ${symbol} may mean several symbols: ${names}. Say which.`, {
      suggestions: resolution.candidates,
      symbol,
    });
  }
  const suggestions = resolution.kind === "unknown" ? resolution.suggestions : [];
  const hint = suggestions.length === 0 ? "" : ` Near names: ${suggestions.join(", ")}.`;
  throw new ApiError("SYMBOL_NOT_FOUND", `The symbol ${symbol} is not known.${hint}`, { suggestions, symbol });
}

/**
 * Finds the quote to serve, of one source if `source` is given. Throws 404 SOURCE_NOT_FOUND for an unknown source, and
 * DATA_NOT_FOUND before the first quote.
 */
export function findQuote({ symbol }: Instrument, source: string | undefined, book: Book): ServedQuote {
  if (source !== undefined && !book.hasSource(source)) {
    throw new ApiError("SOURCE_NOT_FOUND", "There is no source of that name.");
  }
  const served = source === undefined ? book.served(symbol) : book.servedFrom(symbol, source);
  if (served === undefined) {
    const from = source === undefined ? "" : " from that source";
    throw new ApiError("DATA_NOT_FOUND", `Nothing has been received for ${symbol}${from} yet.`);
  }
  return served;
}

/** What answers have in place of a quote. */
export const NO_QUOTE = { bid: null, ask: null, timeMs: 0 } as const;

/**
 * Finds the quote beside figures of bars. Undefined at a second of the past of which only bars are stored. Throws as
 * findQuote does otherwise.
 */
export function findFigureQuote(
  instrument: Instrument,
  source: string | undefined,
  { book, isPast }: Pick<Services, "book" | "isPast">,
): ServedQuote | undefined {
  const mayLack = isPast === true && source === undefined;
  return mayLack ? book.served(instrument.symbol) : findQuote(instrument, source, book);
}

/** Formats the headers of a quote: its state, its age, and its data mode unless it is live. */
export function formatQuoteHeaders(quote: ServedQuote, marketNowMs: number): string {
  return formatFreshnessHeaders(quote.state, marketNowMs - quote.timeMs, quote.mode);
}

/** Formats the same headers from their parts. A negative age, from a broker's clock that runs ahead, becomes 0. */
export function formatFreshnessHeaders(state: QuoteState, ageMs: number, mode: ServedQuote["mode"]): string {
  const age = formatHeaderLine("X-Quote-Age-Ms", Math.max(0, Math.round(ageMs)));
  return formatHeaderLine("X-Quote-State", state) + age + formatModeHeader(mode);
}

/** Formats the headers of figures that come from a quote, if there is one, and from the whole history of its symbol. */
export function formatFigureHeaders(
  symbol: string,
  quote: ServedQuote | undefined,
  marketNowMs: number,
  origins: HistoryOrigins,
): string {
  if (quote === undefined) return formatOriginHeader(origins, [symbol]);
  const mode = quote.mode === "live" ? origins.findMode(quote.symbol) : quote.mode;
  return formatFreshnessHeaders(quote.state, marketNowMs - quote.timeMs, mode);
}

/** Formats the data mode of recorded prices of a span, UTC milliseconds: of the first part that is not live. */
export function formatOriginHeader(
  origins: HistoryOrigins,
  symbols: readonly string[],
  fromMs = -Infinity,
  toMs = Infinity,
): string {
  for (const symbol of symbols) {
    const mode = origins.findMode(symbol, fromMs, toMs);
    if (mode !== "live") return formatModeHeader(mode);
  }
  return "";
}

/** Formats the header that marks simulated and replayed prices; empty for live ones. */
export function formatModeHeader(mode: DataMode): string {
  return mode === "live" ? "" : formatHeaderLine("X-Data-Mode", mode);
}
