import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { findIndicator, indicators } from "@/lib/analytics/indicators/registry";
import { ApiError } from "@/lib/api/engine/errors";
import { computeEditDistance } from "@/lib/market/edit-distance";

const MAX_SUGGESTIONS = 3;
const MAX_ERRORS = 2;

/** The names and aliases that a call may use. */
export const indicatorNames: readonly string[] = indicators.flatMap(({ name, aliases }) => [name, ...aliases]);

/**
 * Returns an indicator by name or alias. Throws 404 INDICATOR_NOT_FOUND for any other, with all names and up to three
 * similar ones.
 */
export function getIndicator(name: string): IndicatorDefinition {
  const indicator = findIndicator(name);
  if (indicator !== undefined) return indicator;
  const suggestions = findNearNames(name);
  const hint = suggestions.length === 0 ? "" : ` Near names: ${suggestions.join(", ")}.`;
  throw new ApiError("INDICATOR_NOT_FOUND", `The indicator is not known.${hint}`, {
    suggestions,
    available_indicators: indicatorNames,
  });
}

/**
 * Finds names that differ from the input in case and punctuation only. If there are none, finds names that begin with it
 * or differ in at most two characters.
 */
function findNearNames(input: string): string[] {
  const plain = normalizeName(input);
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

function measureDistance(input: string, name: string): number {
  if (input === name) return 0;
  if (input.length >= 2 && name.startsWith(input)) return 0.5;
  return input.length < 3 ? Infinity : computeEditDistance(input, name, MAX_ERRORS);
}

/** Removes case and punctuation. Cuts text that is longer than any name, to bound the work. */
function normalizeName(name: string): string {
  return name
    .slice(0, 32)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");
}
