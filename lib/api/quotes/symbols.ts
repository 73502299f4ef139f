import * as z from "zod";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/http/etag";
import { offsetParam, wholeParam } from "@/lib/api/engine/params";
import { selectPermitted } from "@/lib/api/engine/symbol-access";
import { symbolsReply } from "@/lib/api/quotes/symbols-replies";
import { symbolsTable } from "@/lib/api/quotes/tables";
import { CATEGORIES, type Instrument } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";

export const symbols = defineEndpoint({
  method: "GET",
  path: "/v1/symbols",
  summary: "The instruments this service knows, by category or by a part of their name.",
  description: "A key that is restricted to some symbols gets those only.",
  access: "key",
  weight: 1,
  query: z.object({
    category: z
      .string()
      .min(1, "must not be empty")
      .optional()
      .meta({ description: "An unknown category has no symbols.", enum: [...CATEGORIES] }),
    search: z
      .string()
      .min(1, "must not be empty")
      .max(64, "must be at most 64 characters")
      .optional()
      .meta({ description: "Part of the symbol or the name, or a whole alias, in any case." }),
    offset: offsetParam.default(0),
    limit: wholeParam(1, 500).default(100),
  }),
  reply: symbolsReply,
  table: symbolsTable,
  headers: ["ETag"],

  handle({ query, key, services }) {
    const { category, offset, limit } = query;
    const search = query.search?.toLowerCase();
    const found = selectPermitted(key, services.instruments).filter(
      (instrument) =>
        (category === undefined || instrument.category === category) &&
        (search === undefined || matchesSearch(instrument, search)),
    );
    const nowMs = services.marketNow();
    const total = found.length;
    const body = Buffer.from(
      formatSuccess({
        symbols: found.slice(offset, offset + limit).map((instrument) => summarise(instrument, nowMs)),
        total,
        pagination: { offset, limit, total, has_more: offset + limit < total },
      }),
    );
    return { body, etag: createEtag(body) };
  },
});

/** An alias must be equal: parts of the notations of vendors, such as DEU.IDX-EUR, name other currencies. */
export function matchesSearch({ symbol, name, aliases }: Instrument, search: string): boolean {
  if ([symbol, name].some((text) => text.toLowerCase().includes(search))) return true;
  return aliases.some((alias) => alias.toLowerCase() === search);
}

/** Returns the fields that the list and the single symbol share. `tradable` is whether the market is open at `nowMs`. */
export function summarise(instrument: Instrument, nowMs: number) {
  return {
    symbol: instrument.symbol,
    name: instrument.name,
    category: instrument.category,
    base_currency: instrument.base,
    quote_currency: instrument.quote,
    digits: instrument.digits,
    tradable: isMarketOpen(instrument.tradingHours, nowMs),
  };
}
