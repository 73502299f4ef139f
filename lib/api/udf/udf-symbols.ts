import * as z from "zod";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { wholeParam } from "@/lib/api/engine/params";
import { selectPermitted } from "@/lib/api/engine/symbol-access";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { matchesSearch } from "@/lib/api/quotes/symbols";
import { chartSymbolParam, EXCHANGE, formatChart, formatType } from "@/lib/api/udf/udf-endpoint";
import { formatSession, formatZone } from "@/lib/api/udf/udf-session";
import { INTRADAY_RESOLUTIONS, RESOLUTIONS } from "@/lib/api/udf/udf-time";
import type { Instrument } from "@/lib/market/instrument";

const PERMISSION = "/v1/symbols";

export const udfSymbols = defineEndpoint({
  method: "GET",
  path: "/udf/symbols",
  permission: PERMISSION,
  summary: "One symbol, as a chart needs it.",
  access: "key",
  weight: 1,
  query: z.object({ symbol: chartSymbolParam }),
  reply: z.unknown(),
  handle: ({ query, key, services }) => formatChart(describe(findPermitted(query.symbol, key, services.resolver))),
});

export const udfSearch = defineEndpoint({
  method: "GET",
  path: "/udf/search",
  permission: PERMISSION,
  summary: "The symbols whose name has a text.",
  access: "key",
  weight: 1,
  query: z.object({
    query: z.string().max(64, "must be at most 64 characters").default(""),
    type: z.string().default(""),
    exchange: z.string().default(""),
    limit: wholeParam(1, 999_999_999).default(30),
  }),
  reply: z.unknown(),

  handle({ query: { query, type, limit }, key, services }) {
    const text = query.replace(/^[^:]*:/, "").toLowerCase();
    const found = selectPermitted(key, services.instruments).filter(
      (each) => (type === "" || formatType(each) === type) && (text === "" || matchesSearch(each, text)),
    );
    return formatChart(found.slice(0, Math.min(limit, MAX_FOUND)).map(summarise));
  },
});

const MAX_FOUND = 100;

function summarise(instrument: Instrument) {
  const { symbol, name } = instrument;
  return {
    symbol,
    full_name: `${EXCHANGE}:${symbol}`,
    ticker: symbol,
    description: name,
    exchange: EXCHANGE,
    type: formatType(instrument),
  };
}

function describe(instrument: Instrument) {
  const { symbol, name, digits, quote, tradingHours } = instrument;
  return {
    name: symbol,
    ticker: symbol,
    full_name: `${EXCHANGE}:${symbol}`,
    description: name,
    type: formatType(instrument),
    exchange: EXCHANGE,
    listed_exchange: EXCHANGE,
    session: formatSession(tradingHours),
    timezone: formatZone(tradingHours),
    format: "price",
    minmov: 1,
    minmove2: 0,
    pricescale: 10 ** digits,
    has_intraday: true,
    intraday_multipliers: INTRADAY_RESOLUTIONS,
    has_daily: true,
    daily_multipliers: ["1"],
    has_weekly_and_monthly: true,
    weekly_multipliers: ["1"],
    monthly_multipliers: [],
    supported_resolutions: RESOLUTIONS,
    visible_plots_set: "ohlcv",
    volume_precision: 0,
    data_status: "streaming",
    ...(quote === null ? {} : { currency_code: quote }),
  };
}
