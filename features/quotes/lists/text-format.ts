import { LIST_LIMITS } from "@/lib/access/quote-list";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";

/** A list as text: one symbol a line. */
export const formatListText = (symbols: readonly string[]): string => symbols.join("\n");

/**
 * Reads symbols from text: on lines or between commas, in any broker's spelling. Lines that begin with # are ignored, as
 * in the lists that TradingView exports.
 */
export function parseListText(text: string): { symbols: string[]; unknown: string[] } {
  const spellings = text
    .split("\n")
    .filter((line) => !line.trim().startsWith("#"))
    .flatMap((line) => line.split(/[,;\t]/))
    .map((spelling) => spelling.trim())
    .filter((spelling) => spelling !== "" && !spelling.startsWith("#"));
  const found = spellings.map((spelling) => ({ spelling, symbol: catalogResolver.find(spelling)?.symbol }));
  return {
    symbols: [...new Set(found.flatMap(({ symbol }) => symbol ?? []))].slice(0, LIST_LIMITS.symbols),
    unknown: found.filter(({ symbol }) => symbol === undefined).map(({ spelling }) => spelling),
  };
}
