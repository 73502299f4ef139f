import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { freshnessHeaders } from "@/lib/api/quote-lookup";
import { quotesReply } from "@/lib/api/replies";
import type { QuoteState } from "@/lib/book/freshness";
import type { Resolver } from "@/lib/market/resolver";
import type { ServedQuote } from "@/lib/book/quote";

const FIELDS = ["bid", "ask", "spread", "spread_pips", "timestamp", "source"] as const;
type Field = (typeof FIELDS)[number];

const MAX_SYMBOLS = 100;

/** From best to worst; the headers of a bulk answer tell the worst state among its quotes. */
const STATES: readonly QuoteState[] = ["live", "delayed", "closed", "stale"];

const bodySchema = z.object({
  symbols: z
    .array(
      z.string("must contain only strings").min(1, "must not contain an empty symbol"),
      "must be an array of strings",
    )
    .min(1, "must name at least one symbol")
    .max(MAX_SYMBOLS, `must name at most ${MAX_SYMBOLS} symbols`),
  fields: z
    .array(z.enum(FIELDS, `must contain only ${FIELDS.join(", ")}`), "must be an array of strings")
    .min(1, "must name at least one field")
    .optional(),
});
type Body = z.output<typeof bodySchema>;

export const quotes = endpoint({
  method: "POST",
  path: "/v1/quotes",
  summary: "The current quotes of up to a hundred symbols. Unknown ones are listed, not refused.",
  access: "key",
  weight: 1,
  query: z.object({
    envelope: z.enum(["data", "flat"], "must be data or flat").default("data").meta({
      description: "flat answers quotes, count, not_found and timestamp at the top level.",
    }),
  }),
  body: bodySchema,
  reply: quotesReply,

  handle({ query, body, services }) {
    const { symbols, fields, unknown } = planOf(body, services.resolver);
    const nowMs = services.marketNow();
    const found: ServedQuote[] = [];
    const missing = [...unknown];
    for (const { symbol, spelling } of symbols) {
      const quote = services.book.served(symbol, nowMs);
      if (quote === undefined) missing.push(spelling);
      else found.push(quote);
    }
    const list = found.map((quote) => (fields === null ? quote.json : selectFields(quote, fields))).join(",");
    const notFound = missing.length === 0 ? "[]" : JSON.stringify(missing);
    const { timestamp, headers } = freshnessOf(found, nowMs);
    const result = `"quotes":[${list}],"count":${found.length},"not_found":${notFound},"timestamp":"${timestamp}"}`;
    return {
      body: query.envelope === "flat" ? `{"success":true,${result}` : `{"success":true,"data":{${result}}`,
      headers,
      isAscii: missing.length === 0,
    };
  },
});

/** What a body asks for, worked out once for all the calls that send it. */
interface Plan {
  /** Each known symbol once, under the first spelling it was asked by. */
  readonly symbols: readonly { readonly symbol: string; readonly spelling: string }[];
  readonly unknown: readonly string[];
  /** Null for all of them. */
  readonly fields: readonly Field[] | null;
}

const plans = new WeakMap<Body, Plan>();

function planOf(body: Body, resolver: Resolver): Plan {
  const known = plans.get(body);
  if (known !== undefined) return known;
  const symbols = new Map<string, string>();
  const unknown = new Set<string>();
  for (const spelling of body.symbols) {
    const symbol = resolver.find(spelling)?.symbol;
    if (symbol === undefined) unknown.add(spelling);
    else if (!symbols.has(symbol)) symbols.set(symbol, spelling);
  }
  const plan = {
    symbols: Array.from(symbols, ([symbol, spelling]) => ({ symbol, spelling })),
    unknown: [...unknown],
    fields: body.fields === undefined ? null : FIELDS.filter((field) => body.fields?.includes(field)),
  };
  plans.set(body, plan);
  return plan;
}

/** The time of the newest quote, and headers that tell the worst state and the greatest age. */
function freshnessOf(quotes: readonly ServedQuote[], nowMs: number): { timestamp: string; headers: string[] } {
  let newestMs = -Infinity;
  let oldestMs = Infinity;
  let worst: QuoteState = "live";
  let mode: ServedQuote["mode"] = "live";
  for (const { timeMs, state, mode: itsMode } of quotes) {
    if (timeMs > newestMs) newestMs = timeMs;
    if (timeMs < oldestMs) oldestMs = timeMs;
    if (state !== worst && STATES.indexOf(state) > STATES.indexOf(worst)) worst = state;
    if (itsMode !== "live") mode = itsMode;
  }
  if (quotes.length === 0) return { timestamp: "", headers: [] };
  return {
    timestamp: new Date(newestMs).toISOString(),
    headers: freshnessHeaders(worst, Math.max(0, nowMs - oldestMs), mode),
  };
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
