import * as z from "zod";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { offsetParam, wholeParam } from "@/lib/api/engine/params";
import { selectPermitted } from "@/lib/api/engine/symbol-access";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { symbolReply, symbolsReply, symbolsTable } from "@/lib/api/quotes/replies";
import { CATEGORIES, type Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";
import { createSymbolFilter } from "@/lib/market/symbol-search";
import { formatTradingHours, isMarketOpen } from "@/lib/market/trading-hours";

export const symbols = defineEndpoint({
  method: "GET",
  path: "/v1/symbols",
  summary: "The instruments this service knows, by category or by a part of their name.",
  description: "A key that is restricted to some symbols gets those only.",
  group: "Prices",
  access: "quotes",
  weight: 1,
  query: z.object({
    category: z
      .string()
      .min(1, "must not be empty")
      .optional()
      .meta({ description: "An unknown category has no symbols.", enum: [...CATEGORIES] }),
    search: z.string().min(1, "must not be empty").max(64, "must be at most 64 characters").optional().meta({
      description:
        "Part of the symbol or the name, in any case, or any spelling of a symbol or alias, such as EUR/USD.",
    }),
    offset: offsetParam.default(0),
    limit: wholeParam(1, 500).default(100),
  }),
  reply: symbolsReply,
  table: symbolsTable,
  headers: ["ETag"],
  asOf: {},

  handle({ query, key, services }) {
    const { category, offset, limit } = query;
    const matches = query.search === undefined ? () => true : createSymbolFilter(query.search, services.resolver);
    const found = selectPermitted(key, services.instruments).filter(
      (instrument) => (category === undefined || instrument.category === category) && matches(instrument),
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

/** Returns the fields that the list and the single symbol share. `tradable` is whether the market is open at `nowMs`. */
function summarise(instrument: Instrument, nowMs: number) {
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

/** Who added an instrument: a source by its name, "operator", or null for a built-in one. */
function describeAdder({ addedBy }: Instrument): string | null {
  return addedBy === undefined ? null : (addedBy.source ?? "operator");
}

export const symbol = defineEndpoint({
  method: "GET",
  path: "/v1/symbols/{symbol}",
  summary: "Everything about one instrument, under any broker's spelling of its name.",
  group: "Prices",
  access: "quotes",
  weight: 1,
  query: z.object({}),
  reply: symbolReply,
  errors: ["SYMBOL_NOT_FOUND"],
  headers: ["ETag"],

  handle({ segment, key, services }) {
    const instrument = findPermitted(segment, key, services.resolver);
    const resolution = services.resolver.resolve(segment);
    const body = Buffer.from(
      formatSuccess({
        ...summarise(instrument, services.marketNow()),
        description: instrument.description,
        point: roundPrice(10 ** -instrument.digits, instrument.digits),
        pip_size: instrument.pipSize,
        contract_size: instrument.contractSize,
        min_volume: instrument.minVolume,
        max_volume: instrument.maxVolume,
        volume_step: instrument.volumeStep,
        swap_long: instrument.swapLong,
        swap_short: instrument.swapShort,
        margin_currency: instrument.marginCurrency,
        trading_hours: formatTradingHours(instrument.tradingHours),
        aliases: instrument.aliases,
        added_by: describeAdder(instrument),
        provenance: instrument.addedBy?.provenance ?? null,
        resolved_by: resolution.kind === "found" ? resolution.rule : "exact",
      }),
    );
    return { body, etag: createEtag(body) };
  },
});
