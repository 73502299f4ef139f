import { adx } from "@/lib/analytics/indicators/adx";
import { alligator } from "@/lib/analytics/indicators/alligator";
import { atr } from "@/lib/analytics/indicators/atr";
import { bollinger, standardDeviation } from "@/lib/analytics/indicators/bollinger";
import { cci } from "@/lib/analytics/indicators/cci";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { deMarker } from "@/lib/analytics/indicators/demarker";
import { ichimoku } from "@/lib/analytics/indicators/ichimoku";
import { macd } from "@/lib/analytics/indicators/macd";
import { momentum } from "@/lib/analytics/indicators/momentum";
import { moneyFlow } from "@/lib/analytics/indicators/money-flow";
import {
  doubleExponentialAverage,
  exponentialAverages,
  simpleAverages,
  tripleExponentialAverage,
} from "@/lib/analytics/indicators/moving-averages";
import { parabolicSar } from "@/lib/analytics/indicators/parabolic-sar";
import { rsi } from "@/lib/analytics/indicators/rsi";
import { stochastic } from "@/lib/analytics/indicators/stochastic";
import { accumulation, onBalanceVolume, volumes } from "@/lib/analytics/indicators/volumes";
import { williamsR } from "@/lib/analytics/indicators/williams-r";

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
