import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { findIndicator, indicators } from "@/lib/analytics/indicators/registry";
import { ApiError } from "@/lib/api/engine/errors";
import { computeEditDistance } from "@/lib/market/symbols/edit-distance";

const MAX_SUGGESTIONS = 3;
const MAX_ERRORS = 2;

/** Names and aliases: everything a caller may ask for. */
export const indicatorNames: readonly string[] = indicators.flatMap(({ name, aliases }) => [name, ...aliases]);

/** The indicator of a name. Throws 400 VALIDATION_ERROR, with up to three near names, where there is none. */
export function getIndicator(name: string): IndicatorDefinition {
  const indicator = findIndicator(name);
  if (indicator !== undefined) return indicator;
  const suggestions = findNearNames(name);
  const hint = suggestions.length === 0 ? "" : ` Near names: ${suggestions.join(", ")}.`;
  throw new ApiError("VALIDATION_ERROR", `The indicator is not known.${hint}`, { suggestions });
}

/** Names that differ from what was asked in case and punctuation only, else those that begin with it or nearly spell it. */
function findNearNames(asked: string): string[] {
  const plain = normalizeName(asked);
  const near = indicatorNames
    .map((name) => ({ name, distance: measureDistance(plain, normalizeName(name)) }))
    .filter(({ distance }) => distance <= MAX_ERRORS);
  near.sort((one, other) => one.distance - other.distance);
  const most = near[0]?.distance === 0 ? 0 : MAX_ERRORS;
  return near
    .filter(({ distance }) => distance <= most)
    .slice(0, MAX_SUGGESTIONS)
    .map(({ name }) => name);
}

function measureDistance(asked: string, name: string): number {
  if (asked === name) return 0;
  if (asked.length >= 2 && name.startsWith(asked)) return 0.5;
  return asked.length < 3 ? Infinity : computeEditDistance(asked, name, MAX_ERRORS);
}

/** Neither case nor punctuation tells a name from another; longer text than any name is cut, so that work stays bounded. */
function normalizeName(name: string): string {
  return name
    .slice(0, 32)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}
