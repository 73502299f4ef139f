import * as z from "zod";
import { INDICATOR_CATEGORIES, type IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { type IndicatorFamily, listUsualNames, type Parameter } from "@/lib/analytics/indicators/family";
import { indicatorFamilies, indicators } from "@/lib/analytics/indicators/registry";
import { defineEndpoint, formatSuccess } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/etag";
import { indicatorsListReply, indicatorsListTable } from "@/lib/api/indicators/readings-replies";
import { TIMEFRAMES } from "@/lib/market/timeframe";

const INCLUDED = ["details", "families"] as const;
type Included = (typeof INCLUDED)[number];

export const indicatorsList = defineEndpoint({
  method: "GET",
  path: "/v1/indicators/list",
  summary: "The indicators there are, by category: what each one is, or all about it.",
  group: "Analysis",
  access: "indicators",
  weight: 1,
  query: z.object({
    include: z
      .enum(INCLUDED, `must be ${INCLUDED.join(" or ")}`)
      .optional()
      .meta({
        description:
          "details answers formula, warm-up, range, aliases and shape of each in place of its description. " +
          "families adds the families of indicators, each with its formula, parameters, bounds and lines.",
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

/** The bodies, written once because they never change. */
const bodies: Partial<Record<"descriptions" | Included, Buffer>> = {};

function write(include: Included | undefined): Buffer {
  const listed = INDICATOR_CATEGORIES.map((category) => {
    const members = indicators.filter((indicator) => indicator.category === category);
    const entries = members.map((each) => [
      each.name,
      include === "details" ? formatDetails(each) : formatSentence(each),
    ]);
    return [category, Object.fromEntries(entries)] as const;
  });
  return Buffer.from(
    formatSuccess({
      indicators: Object.fromEntries(listed),
      timeframes: TIMEFRAMES,
      categories: INDICATOR_CATEGORIES,
      ...(include === "families" ? { families: indicatorFamilies.map(formatFamily) } : {}),
    }),
  );
}

function formatFamily(family: IndicatorFamily) {
  const { name, alias, title, category, formula, source, parameters, lines, rule } = family;
  const names = Object.entries(lines);
  const ending = names.some(([line]) => line !== "") ? "_{line}" : "";
  return {
    name,
    aliases: alias === undefined ? [] : [alias],
    pattern: `${[name, ...parameters.map((parameter) => `{${parameter.name}}`)].join("_")}${ending}`,
    title,
    category,
    formula,
    source,
    parameters: parameters.map(formatParameter),
    rule: rule?.text ?? null,
    lines: names.map(([line, description]) => ({ name: line, description })),
    examples: listUsualNames(family),
  };
}

function formatParameter(parameter: Parameter) {
  const { name } = parameter;
  return "words" in parameter
    ? { name, default: parameter.usual, choices: parameter.words }
    : {
        name,
        default: parameter.usual,
        min: parameter.min,
        max: parameter.max,
        decimals: parameter.decimals,
      };
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
