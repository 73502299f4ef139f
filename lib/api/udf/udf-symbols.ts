import * as z from "zod";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { offsetParam, symbolsParam, wholeParam } from "@/lib/api/engine/params";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols, selectPermitted } from "@/lib/api/engine/symbol-access";
import { quotes as quotesEndpoint } from "@/lib/api/quotes/quote";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { symbols as symbolsEndpoint } from "@/lib/api/quotes/symbols";
import {
  chartSymbolParam,
  EXCHANGE,
  formatChart,
  formatType,
  INTRADAY_RESOLUTIONS,
  RESOLUTIONS,
  SECONDS_RESOLUTIONS,
} from "@/lib/api/udf/udf-endpoint";
import type { ServedQuote } from "@/lib/book/quote";
import type { Bar } from "@/lib/market/bar";
import { type Instrument, type TradingHours, WEEKDAYS } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";
import { searchInstruments } from "@/lib/market/symbol-search";

export const udfSymbols = defineEndpoint({
  method: "GET",
  path: "/udf/symbols",
  permission: symbolsEndpoint,
  summary: "One symbol, as a chart needs it.",
  weight: 1,
  query: z.object({ symbol: chartSymbolParam }),
  reply: z.unknown(),
  handle: ({ query, key, services }) => formatChart(describe(findPermitted(query.symbol, key, services.resolver))),
});

export const udfSearch = defineEndpoint({
  method: "GET",
  path: "/udf/search",
  permission: symbolsEndpoint,
  summary: "The symbols that a text finds, in any spelling, the closest first.",
  weight: 1,
  query: z.object({
    query: z.string().max(64, "must be at most 64 characters").default(""),
    type: z.string().default(""),
    exchange: z.string().default(""),
    limit: wholeParam(1, 999_999_999).default(30),
    offset: offsetParam.default(0),
  }),
  reply: z.unknown(),

  handle({ query: { query, type, limit, offset }, key, services }) {
    const text = query.replace(/^[^:]*:/, "").trim();
    const permitted = selectPermitted(key, services.instruments).filter(
      (each) => type === "" || formatType(each) === type,
    );
    const found = text === "" ? permitted : searchInstruments(permitted, text, services.resolver);
    return formatChart(found.slice(offset, offset + Math.min(limit, MAX_FOUND)).map(summarise));
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
    has_seconds: true,
    seconds_multipliers: SECONDS_RESOLUTIONS,
    has_intraday: true,
    intraday_multipliers: INTRADAY_RESOLUTIONS,
    has_daily: true,
    daily_multipliers: ["1"],
    has_weekly_and_monthly: true,
    weekly_multipliers: ["1"],
    monthly_multipliers: ["1"],
    supported_resolutions: RESOLUTIONS,
    visible_plots_set: "ohlcv",
    volume_precision: 0,
    data_status: "streaming",
    ...(quote === null ? {} : { currency_code: quote }),
  };
}

type Interval = TradingHours["days"]["monday"][number];

/** In New York the trading day turns at this hour, which divides a day without a break. */
const TURN = "17:00";
/** Monday to Friday, which UDF assumes where no days are given; 1 is Sunday. */
const WORKING_DAYS = "23456";

/**
 * Writes trading hours as a session of UDF: "0930-1600", or "1700-1700" for a trading day that begins the evening
 * before. Days that differ follow a colon, 1 for Sunday. A market that never closes is "24x7".
 */
export function formatSession({ days }: TradingHours): string {
  const parts = WEEKDAYS.map((day) => days[day].flatMap(divide));
  if (parts.every((day) => day.length === 2 && day[0]?.to === TURN && day[1]?.to === "24:00")) return "24x7";
  const daysBySession = new Map<string, string>();
  parts.forEach((intervals, day) => {
    const before = parts.at(day - 1)?.at(-1);
    const after = parts[(day + 1) % parts.length]?.[0];
    const spans = intervals.flatMap(({ from, to }) => {
      // What goes on past midnight belongs to the day on which it ends.
      if (to === "24:00" && after?.from === "00:00") return [];
      const start = from === "00:00" && before?.to === "24:00" ? before.from : from;
      return [`${start.replace(":", "")}-${to.replace(":", "")}`];
    });
    const session = spans.join(",");
    if (session !== "") daysBySession.set(session, `${daysBySession.get(session) ?? ""}${day + 1}`);
  });
  return [...daysBySession]
    .map(([session, digits]) => (digits === WORKING_DAYS ? session : `${session}:${digits}`))
    .join("|");
}

function divide({ from, to }: Interval): Interval[] {
  if (from !== "00:00" || to !== "24:00") return [{ from, to }];
  return [
    { from, to: TURN },
    { from: TURN, to },
  ];
}

/** The name of a zone as charts know it. */
export function formatZone({ zone }: TradingHours): string {
  return zone === "UTC" ? "Etc/UTC" : zone;
}

const MAX_SYMBOLS = 100;

export const udfQuotes = defineEndpoint({
  method: "GET",
  path: "/udf/quotes",
  permission: quotesEndpoint,
  summary: "The prices of several symbols, and their change since the trading day before.",
  weight: 1,
  query: z.object({ symbols: symbolsParam(MAX_SYMBOLS) }),
  reply: z.unknown(),

  async handle({ query, key, services }) {
    const named = query.symbols.map((name) => ({
      name,
      instrument: services.resolver.find(name.replace(/^[^:]*:/, "")),
    }));
    requireSymbols(
      key,
      named.flatMap(({ instrument }) => instrument ?? []),
    );
    const d = await Promise.all(
      named.map(async ({ name, instrument }) => {
        const quote = instrument === undefined ? undefined : services.book.served(instrument.symbol);
        if (instrument === undefined || quote === undefined) return { s: "error", n: name, v: {} };
        return { s: "ok", n: name, v: await formatValues(instrument, quote, services) };
      }),
    );
    return formatChart({ s: "ok", d });
  },
});

async function formatValues(instrument: Instrument, { bid, ask, spread }: ServedQuote, { history }: Services) {
  const { closed, forming } = await history.bars.readSeries(instrument.symbol, "D1");
  const before = closed.at(-1)?.close ?? null;
  const change = before === null ? null : roundPrice(bid - before, instrument.digits);
  return {
    short_name: instrument.symbol,
    exchange: EXCHANGE,
    description: instrument.name,
    lp: bid,
    bid,
    ask,
    spread,
    ...(before === null || change === null
      ? {}
      : { ch: change, chp: Math.round((change / before) * 10_000) / 100, prev_close_price: before }),
    ...(forming === null ? {} : formatDay(forming)),
  };
}

function formatDay({ open, high, low, volume }: Bar) {
  return { open_price: open, high_price: high, low_price: low, volume };
}
