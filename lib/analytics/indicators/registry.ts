import { otherAverages } from "@/lib/analytics/indicators/averages";
import { channels } from "@/lib/analytics/indicators/channels";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { createMember, type IndicatorFamily } from "@/lib/analytics/indicators/family";
import { momentumFamilies } from "@/lib/analytics/indicators/momentum";
import {
  averageFamilies,
  doubleExponentialAverage,
  exponentialAverages,
  simpleAverages,
  tripleExponentialAverage,
} from "@/lib/analytics/indicators/moving-averages";
import {
  cci,
  deMarker,
  momentum,
  oscillatorFamilies,
  rsi,
  stochastic,
  williamsR,
} from "@/lib/analytics/indicators/oscillators";
import { periodFamilies } from "@/lib/analytics/indicators/periods";
import { adx, alligator, ichimoku, macd, parabolicSar, trendFamilies } from "@/lib/analytics/indicators/trend";
import { atr, bollinger, standardDeviation, volatilityFamilies } from "@/lib/analytics/indicators/volatility";
import { accumulation, moneyFlow, onBalanceVolume, volumeFamilies, volumes } from "@/lib/analytics/indicators/volumes";

/** All indicators, by category and in the order of the list. */
export const indicators: readonly IndicatorDefinition[] = [
  ...simpleAverages,
  ...exponentialAverages,
  ...macd,
  ...adx,
  ...ichimoku,
  ...alligator,
  parabolicSar,
  tripleExponentialAverage,
  doubleExponentialAverage,

  rsi,
  ...stochastic,
  ...cci,
  williamsR,
  momentum,
  deMarker,

  ...bollinger,
  ...atr,
  standardDeviation,

  onBalanceVolume,
  moneyFlow,
  accumulation,
  volumes,
];

const byName: ReadonlyMap<string, IndicatorDefinition> = new Map(
  indicators.flatMap((definition) => [definition.name, ...definition.aliases].map((name) => [name, definition])),
);

/** All families. */
export const indicatorFamilies: readonly IndicatorFamily[] = [
  ...averageFamilies,
  ...otherAverages,
  ...trendFamilies,
  ...channels,
  ...periodFamilies,
  ...oscillatorFamilies,
  ...momentumFamilies,
  ...volatilityFamilies,
  ...volumeFamilies,
];

/** The members that are listed indicators under other names. */
const LISTED_MEMBERS: Readonly<Record<string, string>> = {
  MACD_12_26_9_main: "MACD_main",
  MACD_12_26_9_signal: "MACD_signal",
  MACD_12_26_9_hist: "MACD_hist",
  ADX_14: "ADX",
  ADX_14_plusDI: "ADX_plusDI",
  ADX_14_minusDI: "ADX_minusDI",
  Ichimoku_9_26_52_tenkan: "Ichimoku_tenkan",
  Ichimoku_9_26_52_kijun: "Ichimoku_kijun",
  Ichimoku_9_26_52_senkou_a: "Ichimoku_senkou_a",
  Alligator_13_8: "Alligator_jaw",
  Alligator_8_5: "Alligator_teeth",
  Alligator_5_3: "Alligator_lips",
  "SAR_0.02_0.2": "SAR",
  Stochastic_5_3_3_K: "Stochastic_K",
  Stochastic_5_3_3_D: "Stochastic_D",
  BBands_20_2_upper: "BB_upper",
  BBands_20_2_middle: "BB_middle",
  BBands_20_2_lower: "BB_lower",
  BBands_20_2_width: "BB_width",
};
const listedMembers = new Map(Object.entries(LISTED_MEMBERS).map(([name, listed]) => [name, byName.get(listed)]));

const familyByPrefix: ReadonlyMap<string, IndicatorFamily> = new Map(
  indicatorFamilies.flatMap((family) =>
    [family.name, ...(family.alias === undefined ? [] : [family.alias])].map((name) => [name, family]),
  ),
);

/** The members of families that were used last; each is one object while it is here, so that it can be a cache key. */
const members = new Map<string, IndicatorDefinition>();
const MOST_MEMBERS = 1_000;
/** No name is longer. */
const MOST_CHARACTERS = 64;

/**
 * Finds an indicator by its exact name or alias: one of the list, or a member of a family, such as `RSI_21`. A member with
 * the parameters of a listed indicator is that indicator.
 */
export function findIndicator(name: string): IndicatorDefinition | undefined {
  return byName.get(name) ?? findMember(name);
}

function findMember(given: string): IndicatorDefinition | undefined {
  if (given.length > MOST_CHARACTERS) return undefined;
  const [prefix = ""] = given.split("_", 1);
  const family = familyByPrefix.get(prefix);
  if (family === undefined) return undefined;
  const name = family.name + given.slice(prefix.length);
  const member = byName.get(name) ?? listedMembers.get(name) ?? members.get(name) ?? createMember(family, name);
  if (member === undefined || member.name !== name) return member;
  members.delete(name);
  if (members.size >= MOST_MEMBERS) members.delete(members.keys().next().value as string);
  members.set(name, member);
  return member;
}
