import { includesWords } from "@/features/quotes/board-view";
import type { BoardInstrument } from "@/features/quotes/types";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";

/**
 * Returns whether an instrument matches a search: every word is in its symbol or name ("eur/usd", "dollar yen"), or the
 * search begins one of its other names ("nasdaq"), or it is a broker's spelling ("EURUSD.pro"), as in the API.
 */
export function createSearch(search: string): (instrument: Pick<BoardInstrument, "symbol" | "name">) => boolean {
  const squeezed = squeeze(search);
  const spelled = catalogResolver.find(search)?.symbol;
  return (instrument) => {
    if (includesWords(instrument, search) || instrument.symbol === spelled) return true;
    const aliases = instrumentBySymbol.get(instrument.symbol)?.aliases ?? [];
    return squeezed !== "" && aliases.some((alias) => squeeze(alias).startsWith(squeezed));
  };
}

function squeeze(text: string): string {
  return text.toUpperCase().replace(/[^A-Z0-9]/g, "");
}
