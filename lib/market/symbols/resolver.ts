import type { Instrument } from "@/lib/market/instrument";
import { removeDecoration } from "@/lib/market/symbols/broker-decoration";
import { createSuggester } from "@/lib/market/symbols/suggestions";
import { createSymbolNames } from "@/lib/market/symbols/symbol-names";
import { readVendorSyntax } from "@/lib/market/symbols/vendor-syntax";

/**
 * Turns whatever a broker or a caller calls an instrument into the one symbol Spotline uses, and says by which rule. A wrong
 * instrument is worse than none: what could mean two things is ambiguous, and a pair written backwards is unknown, not
 * inverted.
 */

/**
 * exact: the symbol itself · case: in other letters' case · separator: differently punctuated · alias: a synonym ·
 * vendor: a data vendor's notation · decoration: a broker's prefix or suffix taken off.
 */
type ResolutionRule = "exact" | "case" | "separator" | "alias" | "vendor" | "decoration";

type Resolution =
  | { readonly kind: "found"; readonly instrument: Instrument; readonly rule: ResolutionRule }
  | { readonly kind: "ambiguous"; readonly candidates: readonly string[] }
  | { readonly kind: "unknown"; readonly suggestions: readonly string[] };

export interface Resolver {
  /** Never throws, whatever the text. Suggestions (at most three) come nearest first. */
  resolve(spelling: string): Resolution;
  /** The instrument if exactly one is meant; remembers spellings, so it is cheap on a hot path. */
  find(spelling: string): Instrument | undefined;
}

interface Reading {
  readonly instruments: readonly Instrument[];
  readonly rule: ResolutionRule;
}

/** No broker's name comes near this; longer text is unknown without being looked at. */
const MAX_SPELLING_LENGTH = 64;
const MAX_REMEMBERED = 5_000;

export function createResolver(instruments: readonly Instrument[]): Resolver {
  const names = createSymbolNames(instruments);
  const suggest = createSuggester(instruments);
  const bySymbol = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  const remembered = new Map<string, Instrument>();

  function read(spelling: string): Reading | undefined {
    if (spelling.length > MAX_SPELLING_LENGTH) return undefined;
    const name = spelling.trim();
    const hit = names.look(name);
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
      const known = bySymbol.get(spelling) ?? remembered.get(spelling);
      if (known !== undefined) return known;
      const found = read(spelling)?.instruments ?? [];
      const only = found.length === 1 ? found[0] : undefined;
      if (only !== undefined) remember(spelling, only);
      return only;
    },
  };

  function remember(spelling: string, instrument: Instrument) {
    const [oldest] = remembered.size >= MAX_REMEMBERED ? remembered.keys() : [];
    if (oldest !== undefined) remembered.delete(oldest);
    remembered.set(spelling, instrument);
  }
}

function distinct(found: readonly Instrument[]): readonly Instrument[] {
  return [...new Set(found)];
}
