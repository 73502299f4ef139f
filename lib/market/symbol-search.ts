import type { Instrument } from "@/lib/market/instrument";
import type { Resolver } from "@/lib/market/resolver";

/** Finds instruments of a catalog of thousands by what a person or a program writes, in any spelling. */

/** A shorter text without its punctuation begins too many symbols: "B-A". */
const MIN_SQUEEZED_LENGTH = 3;

/** Removes punctuation: "EUR/USD" and "eur-usd" are "EURUSD". */
function squeeze(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
}

/**
 * Returns whether an instrument matches the parameter `search` of the API: a part of its symbol or name in any case, a
 * whole alias, or a spelling of it, of which a beginning is enough. Parts of aliases do not match: parts of the notations
 * of vendors, such as DEU.IDX-EUR, name other currencies.
 */
export function createSymbolFilter(
  search: string,
  resolver: Pick<Resolver, "find">,
): (instrument: Instrument) => boolean {
  const text = (search.trim() || search).toLowerCase();
  const squeezed = squeeze(search);
  const isLong = squeezed.length >= MIN_SQUEEZED_LENGTH;
  const spelled = resolver.find(search.trim());
  return (instrument) => {
    const { symbol, name, aliases } = instrument;
    if (instrument === spelled || symbol.toLowerCase().includes(text) || name.toLowerCase().includes(text)) return true;
    if (isLong && squeeze(symbol).startsWith(squeezed)) return true;
    return aliases.some((alias) => alias.toLowerCase() === text || (isLong && squeeze(alias) === squeezed));
  };
}

/**
 * Finds instruments for a person who types, the closest first: a whole spelling or alias, then a symbol that begins with
 * the text, an alias that does, and last those that have each word in their symbol, name or category ("dollar yen"). Of
 * the same closeness, the order of `instruments` counts. Empty for a text without letters and digits.
 */
export function searchInstruments(
  instruments: readonly Instrument[],
  search: string,
  resolver: Pick<Resolver, "find">,
): Instrument[] {
  const squeezed = squeeze(search);
  if (squeezed === "") return [];
  const spelled = resolver.find(search.trim());
  const words = search.trim().toLowerCase().split(/\s+/).map(toWord);
  const byCloseness: Instrument[][] = [[], [], [], [], []];
  for (const instrument of instruments) {
    const closeness = instrument === spelled ? 0 : measureCloseness(instrument, squeezed, words);
    byCloseness[closeness]?.push(instrument);
  }
  return byCloseness.flat();
}

interface Word {
  readonly text: string;
  /** Without the punctuation of pairs: "eur/usd" is "eurusd". */
  readonly plain: string;
}

function toWord(text: string): Word {
  return { text, plain: text.replace(/[/_.-]/g, "") };
}

/** 0 for the closest; -1 if the instrument does not match. */
function measureCloseness(instrument: Instrument, squeezed: string, words: readonly Word[]): number {
  const symbol = squeeze(instrument.symbol);
  if (symbol === squeezed) return 0;
  const aliases = instrument.aliases.map(squeeze);
  if (aliases.includes(squeezed)) return 1;
  if (symbol.startsWith(squeezed)) return 2;
  if (aliases.some((alias) => alias.startsWith(squeezed))) return 3;
  const text = `${instrument.symbol} ${instrument.name} ${instrument.category}`.toLowerCase();
  return words.every((word) => text.includes(word.text) || (word.plain !== "" && text.includes(word.plain))) ? 4 : -1;
}
