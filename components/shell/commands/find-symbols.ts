import { catalogResolver, instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

/** Finds instruments by symbol, name, alias or a broker's spelling, the closest first. */
export function findSymbols(search: string, most: number): Instrument[] {
  const words = search.toUpperCase().trim().split(/\s+/);
  const squeezed = squeeze(search);
  if (squeezed === "") return [];
  const spelled = catalogResolver.find(search.trim())?.symbol;
  const ranked = instruments.flatMap((instrument) => {
    const rank = instrument.symbol === spelled ? 0 : rankInstrument(instrument, words, squeezed);
    return rank === null ? [] : [{ instrument, rank }];
  });
  // Of the same rank, the catalogue's order: the most traded first.
  return ranked
    .sort((a, b) => a.rank - b.rank)
    .slice(0, most)
    .map(({ instrument }) => instrument);
}

/** 1 to 3, or null if it does not match. */
function rankInstrument({ symbol, name, aliases }: Instrument, words: string[], squeezed: string): number | null {
  if (symbol.startsWith(squeezed)) return 1;
  if (aliases.some((alias) => squeeze(alias).startsWith(squeezed))) return 2;
  const text = `${symbol} ${name.toUpperCase()}`;
  return words.every((word) => text.includes(word)) ? 3 : null;
}

function squeeze(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
