import { z } from "zod";
import { endpoint } from "@/lib/api/endpoint";
import { freshnessHeaders } from "@/lib/api/quote-lookup";
import { quotesReply } from "@/lib/api/replies";
import type { DataMode } from "@/lib/market/tick";
import type { QuoteState } from "@/lib/book/freshness";
import type { ServedQuote } from "@/lib/book/quote";

const FIELDS = ["bid", "ask", "spread", "spread_pips", "timestamp", "source"] as const;
type Field = (typeof FIELDS)[number];

const MAX_SYMBOLS = 100;

/** From best to worst; the headers of a bulk answer tell the worst state among its quotes. */
const STATES: readonly QuoteState[] = ["live", "delayed", "closed", "stale"];

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
  body: z.object({
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
  }),
  reply: quotesReply,

  handle({ query, body, services }) {
    const { resolver, book } = services;
    const asked = new Set<string>();
    const missing = new Set<string>();
    const fields = body.fields === undefined ? null : FIELDS.filter((field) => body.fields?.includes(field));
    let list = "";
    let count = 0;
    let newestMs = -Infinity;
    let oldestMs = Infinity;
    let worst = 0;
    let mode: DataMode = "live";
    for (const spelling of body.symbols) {
      const symbol = resolver.find(spelling)?.symbol;
      const quote = symbol === undefined ? undefined : book.served(symbol);
      if (quote === undefined) {
        missing.add(spelling);
        continue;
      }
      if (asked.has(quote.symbol)) continue;
      asked.add(quote.symbol);
      list += count++ === 0 ? "" : ",";
      list += fields === null ? quote.json : selectFields(quote, fields);
      newestMs = Math.max(newestMs, quote.timeMs);
      oldestMs = Math.min(oldestMs, quote.timeMs);
      worst = Math.max(worst, STATES.indexOf(quote.state));
      if (quote.mode !== "live") mode = quote.mode;
    }
    const timestamp = count === 0 ? "" : new Date(newestMs).toISOString();
    const notFound = missing.size === 0 ? "[]" : JSON.stringify([...missing]);
    const result = `"quotes":[${list}],"count":${count},"not_found":${notFound},"timestamp":"${timestamp}"}`;
    return {
      body: query.envelope === "flat" ? `{"success":true,${result}` : `{"success":true,"data":{${result}}`,
      headers:
        count === 0
          ? []
          : freshnessHeaders(STATES[worst] ?? "stale", Math.max(0, services.marketNow() - oldestMs), mode),
    };
  },
});

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
