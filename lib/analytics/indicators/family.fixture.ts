import fc from "fast-check";
import { type IndicatorFamily, type Parameter, writeName } from "@/lib/analytics/indicators/family";

export interface AnyMember {
  readonly name: string;
  readonly values: readonly (number | string)[];
  readonly line: string;
}

/** Any member of a family whose periods are `most` at most. */
export function anyMember(family: IndicatorFamily, { most = Infinity } = {}): fc.Arbitrary<AnyMember> {
  const values = fc.tuple(...family.parameters.map((parameter) => anyValue(parameter, most)));
  return fc
    .tuple(values, fc.constantFrom(...Object.keys(family.lines)))
    .filter(([chosen, line]) => family.rule?.holds(...chosen, line) !== false)
    .map(([chosen, line]) => ({ name: writeName(family, chosen, line), values: chosen, line }));
}

function anyValue(parameter: Parameter, most: number): fc.Arbitrary<number | string> {
  if ("words" in parameter) return fc.constantFrom(...parameter.words);
  const { min, max, decimals } = parameter;
  const scale = 10 ** decimals;
  const whole = fc.integer({
    min: Math.round(min * scale),
    max: Math.round(Math.min(max, Math.max(most, min)) * scale),
  });
  return whole.map((points) => Number((points / scale).toFixed(decimals)));
}

/** A member of each line with short periods and small factors that no listed indicator has. */
export function listShortMembers(family: IndicatorFamily): string[] {
  const values = family.parameters.map((parameter, i) => {
    if ("words" in parameter) return parameter.usual;
    const { min, usual, decimals } = parameter;
    return decimals > 0
      ? Number(Math.max(min, usual / 10).toFixed(decimals))
      : Math.min(Math.max(parameter.min, 4 + 3 * i), parameter.max);
  });
  return Object.keys(family.lines)
    .filter((line) => family.rule?.holds(...values, line) !== false)
    .map((line) => writeName(family, values, line));
}
