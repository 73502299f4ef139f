import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import {
  doubleExponentialAverage,
  exponentialAverages,
  simpleAverages,
  tripleExponentialAverage,
} from "@/lib/analytics/indicators/moving-averages";
import { cci, deMarker, momentum, rsi, stochastic, williamsR } from "@/lib/analytics/indicators/oscillators";
import { adx, alligator, ichimoku, macd, parabolicSar } from "@/lib/analytics/indicators/trend";
import { atr, bollinger, standardDeviation } from "@/lib/analytics/indicators/volatility";
import { accumulation, moneyFlow, onBalanceVolume, volumes } from "@/lib/analytics/indicators/volumes";

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

/** Finds an indicator by its exact name or alias. */
export function findIndicator(name: string): IndicatorDefinition | undefined {
  return byName.get(name);
}
