import * as z from "zod";
import type { IndicatorDefinition } from "@/lib/analytics/indicators/definition";
import { type IndicatorFamily, listUsualNames, readMember, writeName } from "@/lib/analytics/indicators/family";
import { findIndicator, indicatorFamilies, indicators } from "@/lib/analytics/indicators/registry";
import { ApiError } from "@/lib/api/engine/errors";
import { computeEditDistance } from "@/lib/market/edit-distance";
import { getUsualBarMs, isStored, type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";

const MAX_SUGGESTIONS = 3;
const MAX_ERRORS = 2;

/** The names and aliases of the list. A call may also use the members of the families. */
export const indicatorNames: readonly string[] = indicators.flatMap(({ name, aliases }) => [name, ...aliases]);

/** The name of an indicator in a query. */
export const indicatorParam = z.string().meta({
  description:
    "A name of /v1/indicators/list, or a family with its parameters, such as RSI_21, EMA_34 or BBands_20_2.5_upper: " +
    "/v1/indicators/list?include=families has all families.",
  examples: ["RSI_14", "EMA_34", "BBands_20_2.5_upper"],
});

/**
 * Returns an indicator by name or alias: one of the list or a member of a family. Throws 404 INDICATOR_NOT_FOUND for any
 * other, with the names of the list and up to three similar ones, and 400 VALIDATION_ERROR if it is not defined for the
 * timeframe.
 */
export function getIndicator(name: string, timeframe?: Timeframe): IndicatorDefinition {
  const indicator = findIndicator(name);
  if (indicator === undefined) throw createUnknownError(name);
  if (timeframe !== undefined && indicator.isSum === true && !isStored(timeframe)) {
    const message = `${name} adds up all bars since the first one, and those of ${timeframe} are joined for a while only`;
    throw new ApiError("INVALID_TIMEFRAME", `${message}. timeframe must be one of ${TIMEFRAMES.join(", ")}`, {
      valid_values: TIMEFRAMES,
    });
  }
  if (timeframe !== undefined && !isDefinedFor(indicator, timeframe)) {
    throw new ApiError("VALIDATION_ERROR", `${name} is computed from bars of ${indicator.longest} or shorter`);
  }
  return indicator;
}

export function isDefinedFor({ longest, isSum }: IndicatorDefinition, timeframe: Timeframe): boolean {
  if (isSum === true && !isStored(timeframe)) return false;
  return longest === undefined || getUsualBarMs(timeframe) <= getUsualBarMs(longest);
}

function createUnknownError(name: string): ApiError {
  const { suggestions, problem } = suggest(name);
  const near = suggestions.length === 0 ? "" : ` Near names: ${suggestions.join(", ")}.`;
  const rule = problem === null ? "" : ` ${problem}.`;
  return new ApiError(
    "INDICATOR_NOT_FOUND",
    `The indicator is not known.${near}${rule} Families take parameters, such as RSI_21 or BBands_20_2.5_upper: ` +
      "see /v1/indicators/list?include=families.",
    { suggestions, available_indicators: indicatorNames },
  );
}

/** Finds similar names, first those of the list, and what is wrong with the parameters of a family. */
function suggest(input: string): { readonly suggestions: readonly string[]; readonly problem: string | null } {
  const listed = findNearNames(input);
  if (input.length > MAX_CHARACTERS) return { suggestions: listed, problem: null };
  for (const family of indicatorFamilies) {
    const read = readMember(family, input);
    if (read === null) continue;
    if (typeof read === "string") return { suggestions: listed, problem: read };
    const name = writeName(family, read.values, read.line);
    const isSpelled = /_\d/.test(input);
    return { suggestions: isSpelled || listed.length === 0 ? [name] : listed, problem: null };
  }
  return { suggestions: listed.length > 0 ? listed : findNearFamilies(input), problem: null };
}

/** The usual members of the families whose names the input begins with or nearly is. */
function findNearFamilies(input: string): string[] {
  const word = normalizeName(/^[a-z]+/i.exec(input)?.[0] ?? "");
  const near = indicatorFamilies.filter((family) =>
    listNames(family).some((name) => measureDistance(word, normalizeName(name)) <= MAX_ERRORS),
  );
  return near.flatMap(listUsualNames).slice(0, MAX_SUGGESTIONS);
}

function listNames({ name, alias }: IndicatorFamily): string[] {
  return alias === undefined ? [name] : [name, alias];
}

const MAX_CHARACTERS = 64;

/**
 * Finds names of the list that differ from the input in case and punctuation only. If there are none, finds names that
 * begin with it or differ in at most two characters.
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
