import * as z from "zod";
import { defineEndpoint } from "@/lib/api/engine/endpoint";
import { symbolsParam } from "@/lib/api/engine/params";
import type { Services } from "@/lib/api/engine/services";
import { requireSymbols } from "@/lib/api/engine/symbol-access";
import { EXCHANGE, formatChart } from "@/lib/api/udf/udf-endpoint";
import type { ServedQuote } from "@/lib/book/quote";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { roundPrice } from "@/lib/market/price";

const MAX_SYMBOLS = 100;

export const udfQuotes = defineEndpoint({
  method: "GET",
  path: "/udf/quotes",
  permission: "/v1/quotes",
  summary: "The prices of several symbols, and their change since the trading day before.",
  access: "key",
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
