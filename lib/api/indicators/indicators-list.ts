import * as z from "zod";
import { INDICATOR_CATEGORIES, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { indicators } from "@/lib/analytics/indicators/registry";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { indicatorsListReply, indicatorsListTable } from "@/lib/api/indicators/readings-replies";
import { TIMEFRAMES } from "@/lib/market/timeframe";

export const indicatorsList = defineEndpoint({
  method: "GET",
  path: "/v1/indicators/list",
  summary: "The indicators there are, by category: what each one is, or all about it.",
  access: "key",
  weight: 1,
  query: z.object({
    include: z.literal("details", "must be details").optional().meta({
      description: "details answers formula, warm-up, range, aliases and shape of each in place of its description.",
    }),
  }),
  reply: indicatorsListReply,
  table: indicatorsListTable,
  headers: ["ETag"],

  handle({ query }) {
    const body = (bodies[query.include ?? "descriptions"] ??= write(query.include));
    return { body, etag: createEtag(body) };
  },
});

/** The two bodies, written once because they never change. */
const bodies: { descriptions?: Buffer; details?: Buffer } = {};

function write(include: "details" | undefined): Buffer {
  const listed = INDICATOR_CATEGORIES.map((category) => {
    const members = indicators.filter((indicator) => indicator.category === category);
    const entries = members.map((each) => [
      each.name,
      include === "details" ? formatDetails(each) : formatSentence(each),
    ]);
    return [category, Object.fromEntries(entries)] as const;
  });
  return Buffer.from(
    formatSuccess({ indicators: Object.fromEntries(listed), timeframes: TIMEFRAMES, categories: INDICATOR_CATEGORIES }),
  );
}

function formatSentence({ description, formula, warmUp, range }: IndicatorDefinition): string {
  const bars = warmUp === 1 ? "1 bar" : `${warmUp} bars`;
  const [lowest, highest] = range ?? [-Infinity, Infinity];
  const reach = range === null ? "any value" : highest === Infinity ? `${lowest} and up` : `${lowest} to ${highest}`;
  return `${description}. Formula: ${formula}. Warm-up: ${bars}. Range: ${reach}.`;
}

function formatDetails({ description, formula, warmUp, range, aliases, shape }: IndicatorDefinition) {
  return {
    description,
    formula,
    warm_up_bars: warmUp,
    range: range === null ? null : { min: range[0], max: range[1] === Infinity ? null : range[1] },
    aliases,
    reading: shape === "A" ? "flat" : "envelope",
  };
}
