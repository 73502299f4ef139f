import type { Instrument } from "@/lib/market/instrument";

/** How a plain name without broker decoration matched. */
type NameRule = "exact" | "case" | "alias" | "separator";

export interface NameHit {
  /** Several if the name is shared by several instruments. */
  readonly instruments: readonly Instrument[];
  readonly rule: NameRule;
  /** Whether the name is the canonical symbol, in any punctuation, and not a synonym. */
  readonly isCanonical: boolean;
}

export interface SymbolNames {
  find(name: string): NameHit | undefined;
}

/** Words of ASCII letters and digits with punctuation between them, never around: "EUR/USD", "US Natural Gas", "S&P500". */
const PUNCTUATED = /^[A-Za-z0-9]+(?:[/_\-. &]+[A-Za-z0-9]+)*$/;
const PUNCTUATION = /[/_\-. &]+/g;
/** Shorter names are too ambiguous without their punctuation: "B-A" is not Boeing. */
const MIN_SQUEEZED_LENGTH = 3;

/** The name without punctuation, in upper case; undefined for anything other than plain ASCII words. */
export function squeeze(name: string): string | undefined {
  return PUNCTUATED.test(name) ? name.replace(PUNCTUATION, "").toUpperCase() : undefined;
}

/** The canonical symbols and synonyms of a catalog, found as written, in any case, or in other punctuation. */
export function createSymbolNames(instruments: readonly Instrument[]): SymbolNames {
  const symbols = new Map(instruments.map((instrument) => [instrument.symbol, instrument]));
  const squeezedSymbols = new Map(instruments.map((instrument) => [squeeze(instrument.symbol), instrument]));
  const squeezedAliases = new Map<string | undefined, Instrument[]>();
  for (const instrument of instruments) {
    for (const alias of new Set(instrument.aliases.map(squeeze))) {
      squeezedAliases.set(alias, [...(squeezedAliases.get(alias) ?? []), instrument]);
    }
  }

  return {
    find(name) {
      const exact = symbols.get(name);
      if (exact !== undefined) return { instruments: [exact], rule: "exact", isCanonical: true };
      const squeezed = squeeze(name);
      if (squeezed === undefined) return undefined;
      const otherCase = symbols.get(name.toUpperCase());
      if (otherCase !== undefined) return { instruments: [otherCase], rule: "case", isCanonical: true };
      if (squeezed.length < MIN_SQUEEZED_LENGTH && squeezed.length < name.length) return undefined;
      const punctuated = squeezedSymbols.get(squeezed);
      if (punctuated !== undefined) return { instruments: [punctuated], rule: "separator", isCanonical: true };
      const synonyms = squeezedAliases.get(squeezed);
      return synonyms && { instruments: synonyms, rule: "alias", isCanonical: false };
    },
  };
}
