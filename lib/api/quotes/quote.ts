import * as z from "zod";
import type { Handled } from "@/lib/api/engine/answer";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { memoizeByIdentity } from "@/lib/api/engine/etag";
import { flagParam, refuseParam, sourceParam, symbolParam } from "@/lib/api/engine/params";
import { QUOTE_HEADERS } from "@/lib/api/engine/response-headers";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import { findPermitted, findQuote, formatFreshnessHeaders, formatQuoteHeaders } from "@/lib/api/quotes/quote-lookup";
import { quoteReply, quotesReply, quotesTable, quoteTable } from "@/lib/api/quotes/replies";
import type { Book } from "@/lib/book/book";
import type { QuoteState } from "@/lib/book/freshness";
import { findBestPrice, type ServedQuote } from "@/lib/book/quote";
import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";

export const quote = defineEndpoint({
  method: "GET",
  path: "/v1/quote",
  summary: "The current bid and ask of one symbol, from the first live source or from the one you name.",
  group: "Prices",
  access: "quotes",
  weight: 1,
  query: z.object({
    symbol: symbolParam,
    include_sources: flagParam.default(false).meta({
      description: "Adds best_bid, best_ask, best_spread, source_count and every source's own quote.",
    }),
    source: sourceParam.optional(),
  }),
  reply: quoteReply,
  table: quoteTable,
  errors: ["SYMBOL_NOT_FOUND", "SOURCE_NOT_FOUND", "DATA_NOT_FOUND"],
  headers: QUOTE_HEADERS,
  asOf: { symbols: ({ symbol }) => [symbol] },

  handle({ query, key, services }) {
    const instrument = findPermitted(query.symbol, key, services.resolver);
    const served = findQuote(instrument, query.source, services.book);
    const headers = formatQuoteHeaders(served, services.marketNow());
    if (!query.include_sources) return { body: `{"success":true,"data":${served.json}}`, headers, isAscii: true };
    return answerWithSources(instrument, served, headers, services);
  },
});

function answerWithSources(instrument: Instrument, served: ServedQuote, headers: string, { book }: Services): Handled {
  const quotes = book.sources(instrument.symbol);
  const best = findBestPrice(quotes, served, instrument.digits);
  const body = formatSuccess({
    symbol: served.symbol,
    bid: served.bid,
    ask: served.ask,
    spread: served.spread,
    spread_pips: served.spreadPips,
    timestamp: new Date(served.timeMs).toISOString(),
    source: served.source,
    best_bid: best.bid,
    best_ask: best.ask,
    best_spread: best.spread,
    source_count: quotes.length,
    sources: quotes.map(({ source, bid, ask, spread, timeMs }) => ({
      broker: source,
      bid,
      ask,
      spread,
      updated: new Date(timeMs).toISOString(),
    })),
  });
  return { body, headers };
}

const FIELDS = ["bid", "ask", "spread", "spread_pips", "timestamp", "source"] as const;
type Field = (typeof FIELDS)[number];

const MAX_SYMBOLS = 100;

/** From best to worst. The headers of a bulk answer show the worst state of its quotes. */
const STATES: readonly QuoteState[] = ["live", "delayed", "closed", "stale"];

const bodySchema = z.object({
  symbols: z
    .array(
      z.string("must contain only strings").min(1, "must not contain an empty symbol"),
      "must be an array of strings",
    )
    .superRefine(({ length }, context) => {
      if (length === 0) refuseParam(context, "INVALID_REQUEST", "must name at least one symbol");
      if (length > MAX_SYMBOLS) refuseParam(context, "TOO_MANY_SYMBOLS", `must name at most ${MAX_SYMBOLS} symbols`);
    })
    .meta({ minItems: 1, maxItems: MAX_SYMBOLS }),
  fields: z
    .array(z.enum(FIELDS, `must contain only ${FIELDS.join(", ")}`), "must be an array of strings")
    .min(1, "must name at least one field")
    .optional(),
});
type Body = z.output<typeof bodySchema>;

export const quotes = defineEndpoint({
  method: "POST",
  path: "/v1/quotes",
  summary: "The current quotes of up to a hundred symbols. Unknown ones are listed, not refused.",
  group: "Prices",
  access: "quotes",
  weight: 1,
  query: z.object({
    envelope: z.enum(["data", "flat"], "must be data or flat").default("data").meta({
      description: "flat answers quotes, count, not_found and timestamp at the top level.",
    }),
  }),
  body: bodySchema,
  reply: quotesReply,
  table: quotesTable,
  errors: ["INVALID_REQUEST", "TOO_MANY_SYMBOLS"],
  headers: QUOTE_HEADERS,
  asOf: { symbols: (_, { symbols }) => symbols },

  handle({ query, body, key, services }) {
    const compiled = compile(body, services.resolver);
    requireSymbols(key, compiled.symbols);
    const nowMs = services.marketNow();
    if (compiled.written?.envelope !== query.envelope || !isCurrent(compiled.written, compiled, services.book, nowMs)) {
      compiled.written = write(compiled, query.envelope, services.book, nowMs);
    }
    const { bytes, worst, oldestMs, mode } = compiled.written;
    return { body: bytes, headers: worst === null ? "" : formatFreshnessHeaders(worst, nowMs - oldestMs, mode) };
  },
});

type Envelope = "data" | "flat";

/** A body prepared once for all the calls that send it. */
interface Compiled {
  /** Each existing symbol once, with the first spelling of it in the body. */
  readonly symbols: readonly { readonly symbol: string; readonly spelling: string }[];
  readonly unknown: readonly string[];
  /** Null for all fields. */
  readonly fields: readonly Field[] | null;
  /** The last answer, valid while every quote in it is still the one that is served. */
  written: Written | null;
}

interface Written {
  readonly envelope: Envelope;
  readonly quotes: readonly (ServedQuote | undefined)[];
  /** When it was last checked, and the book's revision then. Many calls arrive within the same millisecond. */
  checkedAtMs: number;
  checkedRevision: number;
  readonly bytes: Uint8Array;
  /** The worst state; null without a quote. */
  readonly worst: QuoteState | null;
  readonly oldestMs: number;
  readonly mode: ServedQuote["mode"];
}

const compile = memoizeByIdentity((body: Body, resolver: Resolver): Compiled => {
  const symbols = new Map<string, string>();
  const unknown = new Set<string>();
  for (const spelling of body.symbols) {
    const symbol = resolver.find(spelling)?.symbol;
    if (symbol === undefined) unknown.add(spelling);
    else if (!symbols.has(symbol)) symbols.set(symbol, spelling);
  }
  return {
    symbols: Array.from(symbols, ([symbol, spelling]) => ({ symbol, spelling })),
    unknown: [...unknown],
    fields: body.fields === undefined ? null : FIELDS.filter((field) => body.fields?.includes(field)),
    written: null,
  };
});

/** Quotes are immutable, so the same objects mean the same answer. */
function isCurrent(written: Written, { symbols }: Compiled, book: Book, nowMs: number): boolean {
  const { quotes, checkedAtMs, checkedRevision } = written;
  const { revision } = book;
  if (checkedAtMs === nowMs && checkedRevision === revision) return true;
  for (let index = 0; index < symbols.length; index++) {
    const { symbol } = symbols[index] as Compiled["symbols"][number];
    if (book.served(symbol, nowMs) !== quotes[index]) return false;
  }
  written.checkedAtMs = nowMs;
  written.checkedRevision = revision;
  return true;
}

function write({ symbols, unknown, fields }: Compiled, envelope: Envelope, book: Book, nowMs: number): Written {
  const quotes = symbols.map(({ symbol }) => book.served(symbol, nowMs));
  const found = quotes.filter((quote) => quote !== undefined);
  const missing = [
    ...unknown,
    ...symbols.filter((_, index) => quotes[index] === undefined).map((each) => each.spelling),
  ];
  const list = found.map((quote) => (fields === null ? quote.json : selectFields(quote, fields))).join(",");
  let newestMs = -Infinity;
  let oldestMs = Infinity;
  let worst: QuoteState | null = null;
  let mode: ServedQuote["mode"] = "live";
  for (const quote of found) {
    newestMs = Math.max(newestMs, quote.timeMs);
    oldestMs = Math.min(oldestMs, quote.timeMs);
    if (worst === null || STATES.indexOf(quote.state) > STATES.indexOf(worst)) worst = quote.state;
    if (quote.mode !== "live") mode = quote.mode;
  }
  const timestamp = worst === null ? "" : new Date(newestMs).toISOString();
  const result = `"quotes":[${list}],"count":${found.length},"not_found":${JSON.stringify(missing)},"timestamp":"${timestamp}"}`;
  const bytes = Buffer.from(envelope === "flat" ? `{"success":true,${result}` : `{"success":true,"data":{${result}}`);
  const checked = { checkedAtMs: nowMs, checkedRevision: book.revision };
  return { envelope, quotes, ...checked, bytes, worst, oldestMs, mode };
}

function selectFields(quote: ServedQuote, fields: readonly Field[]): string {
  const values: Record<Field, number | string> = {
    bid: quote.bid,
    ask: quote.ask,
    spread: quote.spread,
    spread_pips: quote.spreadPips,
    timestamp: new Date(quote.timeMs).toISOString(),
    source: quote.source,
  };
  return JSON.stringify({ symbol: quote.symbol, ...Object.fromEntries(fields.map((field) => [field, values[field]])) });
}
