import { ApiError } from "@/lib/api/errors";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";
import type { QuoteState } from "@/lib/book/freshness";
import type { ServedQuote } from "@/lib/book/quote";

/** The instrument a caller means. Throws 404 SYMBOL_NOT_FOUND, with up to three near names, when it is not clear. */
export function instrumentFor(spelling: string, resolver: Resolver): Instrument {
  return resolver.find(spelling) ?? refuse(spelling, resolver);
}

function refuse(spelling: string, resolver: Resolver): never {
  const resolution = resolver.resolve(spelling);
  if (resolution.kind === "ambiguous") {
    const names = resolution.candidates.join(", ");
    throw new ApiError("SYMBOL_NOT_FOUND", `This name may mean several symbols: ${names}. Say which.`, {
      suggestions: resolution.candidates,
    });
  }
  const suggestions = resolution.kind === "unknown" ? resolution.suggestions : [];
  const hint = suggestions.length === 0 ? "" : ` Near names: ${suggestions.join(", ")}.`;
  throw new ApiError("SYMBOL_NOT_FOUND", `The symbol is not known.${hint}`, { suggestions });
}

/** What the headers say of a quote: its state, its age, and that it is not a real broker's price if it is not. */
export function quoteHeaders(quote: ServedQuote, marketNowMs: number): string {
  return freshnessHeaders(quote.state, marketNowMs - quote.timeMs, quote.mode);
}

/** An age below zero, from a broker's clock that runs ahead, is told as none. */
export function freshnessHeaders(state: QuoteState, ageMs: number, mode: ServedQuote["mode"]): string {
  const origin = mode === "live" ? "" : `X-Data-Mode: ${mode}\r\n`;
  return `X-Quote-State: ${state}\r\nX-Quote-Age-Ms: ${Math.max(0, Math.round(ageMs))}\r\n${origin}`;
}
