import * as z from "zod";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/http/etag";
import { findPermitted } from "@/lib/api/quotes/quote-lookup";
import { summarise } from "@/lib/api/quotes/symbols";
import { symbolReply } from "@/lib/api/quotes/symbols-replies";
import { roundPrice } from "@/lib/market/price";
import { formatTradingHours } from "@/lib/market/trading-hours";

export const symbol = defineEndpoint({
  method: "GET",
  path: "/v1/symbols/{symbol}",
  summary: "Everything about one instrument, under any broker's spelling of its name.",
  access: "key",
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
        resolved_by: resolution.kind === "found" ? resolution.rule : "exact",
      }),
    );
    return { body, etag: createEtag(body) };
  },
});
