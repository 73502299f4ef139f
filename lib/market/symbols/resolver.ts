import type { Instrument } from "@/lib/market/instrument";
import { removeDecoration } from "@/lib/market/symbols/broker-decoration";
import { createSuggester } from "@/lib/market/symbols/suggestions";
import { createSymbolNames } from "@/lib/market/symbols/symbol-names";
import { readVendorSyntax } from "@/lib/market/symbols/vendor-syntax";

/**
 * Resolves the spelling of a broker or a caller to the canonical symbol, with the rule that matched. A wrong instrument
 * is worse than none: a name with two meanings is ambiguous, and a reversed pair is unknown, not inverted.
 */

/**
 * exact: the symbol itself · case: in other letter case · separator: with other punctuation · alias: a synonym ·
 * vendor: a data vendor's notation · decoration: with a broker's prefix or suffix.
 */
type ResolutionRule = "exact" | "case" | "separator" | "alias" | "vendor" | "decoration";

type Resolution =
  | { readonly kind: "found"; readonly instrument: Instrument; readonly rule: ResolutionRule }
  | { readonly kind: "ambiguous"; readonly candidates: readonly string[] }
  | { readonly kind: "unknown"; readonly suggestions: readonly string[] };

export interface Resolver {
  /** Never throws. Suggestions (at most three) come nearest first. */
  resolve(spelling: string): Resolution;
  /** The instrument if exactly one matches. Caches spellings, so it is fast on a hot path. */
  find(spelling: string): Instrument | undefined;
}

interface Reading {
  readonly instruments: readonly Instrument[];
  readonly rule: ResolutionRule;
}

/** Far longer than any broker's name; longer text is unknown without being parsed. */
const MAX_SPELLING_LENGTH = 64;
/** The longest spelling that a caller may send; every broker's is shorter. */
export const MAX_CALLER_SPELLING_LENGTH = 32;
/** A sign of the broker before the name, the name with its punctuation, and signs of the broker behind it. */
const SPELLING = /^[#@]?[A-Za-z0-9/_\-. &:=]*[+#\-!^£._$]*\s*$/;
const MAX_CACHED = 5_000;

/** Whether a text could be the spelling of a symbol, known or not, by its length and its characters. */
export function isSpelling(text: string): boolean {
  return text.length <= MAX_CALLER_SPELLING_LENGTH && SPELLING.test(text.trim());
}

export function createResolver(instruments: readonly Instrument[]): Resolver {
  const names = createSymbolNames(instruments);
  const suggest = createSuggester(instruments);
  const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  const cache = new Map<string, Instrument>();

  function read(spelling: string): Reading | undefined {
    if (spelling.length > MAX_SPELLING_LENGTH) return undefined;
    const name = spelling.trim();
    const hit = names.find(name);
    if (hit !== undefined) {
      return { instruments: hit.instruments, rule: hit.rule === "exact" && name !== spelling ? "separator" : hit.rule };
    }
    const fromVendor = readVendorSyntax(name, names);
    if (fromVendor.length > 0) return { instruments: distinct(fromVendor), rule: "vendor" };
    const bare = removeDecoration(name, names);
    return bare.length > 0 ? { instruments: distinct(bare), rule: "decoration" } : undefined;
  }

  return {
    resolve(spelling) {
      const reading = read(spelling);
      const [instrument, ...others] = reading?.instruments ?? [];
      if (reading === undefined || instrument === undefined) {
        return { kind: "unknown", suggestions: suggest(spelling) };
      }
      if (others.length > 0) {
        return { kind: "ambiguous", candidates: reading.instruments.map(({ symbol }) => symbol) };
      }
      return { kind: "found", instrument, rule: reading.rule };
    },

    find(spelling) {
      if (spelling.length > MAX_SPELLING_LENGTH) return undefined;
      const known = bySymbol.get(spelling) ?? cache.get(spelling);
      if (known !== undefined) return known;
      const found = read(spelling)?.instruments ?? [];
      const only = found.length === 1 ? found[0] : undefined;
      if (only !== undefined) addToCache(spelling, only);
      return only;
    },
  };

  function addToCache(spelling: string, instrument: Instrument) {
    const [oldest] = cache.size >= MAX_CACHED ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(spelling, instrument);
  }
}

function distinct(found: readonly Instrument[]): readonly Instrument[] {
  return [...new Set(found)];
}
