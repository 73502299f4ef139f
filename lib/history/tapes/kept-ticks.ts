import { CATEGORIES, type Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";
import { createSettingsError, findNearest } from "@/lib/platform/settings/settings";

/** Which ticks are read: the last one of each second, or every one. */
export const TICK_RESOLUTIONS = ["1s", "tick"] as const;
export type TickResolution = (typeof TICK_RESOLUTIONS)[number];

/** What is said of symbols of which not every tick is stored. */
export const KEEP_TICKS_HINT = "the server's setting SPOTLINE_KEEP_TICKS names the symbols of which every tick is kept";

/** The symbols of which every tick is stored, as SPOTLINE_KEEP_TICKS names them. */
export interface KeptTicks {
  /** Symbols and categories, or "all"; none if no ticks are stored. */
  readonly names: readonly string[];
  has(instrument: Instrument): boolean;
}

const ALL = "all";

/** Reads the names of the setting. Throws an Error that says which are neither symbols nor categories. */
export function readKeptTicks(names: readonly string[], resolver: Pick<Resolver, "find" | "resolve">): KeptTicks {
  const faults: string[] = [];
  const read = names.flatMap((name) => {
    const word = name.toLowerCase();
    if (word === ALL || CATEGORIES.some((category) => category === word)) return word;
    const symbol = resolver.find(name)?.symbol;
    if (symbol !== undefined) return symbol;
    faults.push(describeUnknown(name, resolver));
    return [];
  });
  if (faults.length > 0) throw createSettingsError(faults);
  return toKeptTicks(read);
}

/** @param names symbols, categories, or "all", as `KeptTicks` has them */
export function toKeptTicks(names: readonly string[]): KeptTicks {
  const kept = new Set(names);
  return {
    names: kept.has(ALL) ? [ALL] : [...kept],
    has: (instrument) => kept.size > 0 && listKeptNames(instrument).some((name) => kept.has(name)),
  };
}

/** The names under which ticks of an instrument may be stored. */
export function listKeptNames({ symbol, category }: Instrument): string[] {
  return [symbol, category, ALL];
}

function describeUnknown(name: string, resolver: Pick<Resolver, "resolve">): string {
  const resolution = resolver.resolve(name);
  const near = resolution.kind === "unknown" ? resolution.suggestions : [];
  const word = findNearest(name, [ALL, ...CATEGORIES]);
  const hints = resolution.kind === "ambiguous" ? resolution.candidates : [...(word === null ? [] : [word]), ...near];
  const hint = hints.length === 0 ? "" : `; did you mean ${hints.join(" or ")}?`;
  return `SPOTLINE_KEEP_TICKS: ${JSON.stringify(name)} is neither a symbol nor all, ${CATEGORIES.join(", ")}${hint}`;
}
