import { LIST_LIMITS } from "@/lib/access/quote-list";
import { catalogResolver } from "@/lib/market/catalog-resolver";

/** A list as text: one symbol a line. */
export const formatListText = (symbols: readonly string[]): string => symbols.join("\n");

const find = (spelling: string) => catalogResolver.find(spelling)?.symbol;

/**
 * Reads symbols from text: on lines, between commas or between spaces, in any broker's spelling. Lines that begin with #
 * are ignored, as in the lists that TradingView exports.
 */
export function parseListText(text: string): { symbols: string[]; unknown: string[] } {
  const spellings = text
    .split("\n")
    .filter((line) => !line.trim().startsWith("#"))
    .flatMap((line) => line.split(/[,;\t]/))
    .map((spelling) => spelling.trim())
    .filter((spelling) => spelling !== "" && !spelling.startsWith("#"))
    // Some spellings have a space themselves, such as "US 500".
    .flatMap((spelling) => (find(spelling) === undefined ? spelling.split(/\s+/) : [spelling]));
  const found = spellings.map((spelling) => ({ spelling, symbol: find(spelling) }));
  return {
    symbols: [...new Set(found.flatMap(({ symbol }) => symbol ?? []))].slice(0, LIST_LIMITS.symbols),
    unknown: found.filter(({ symbol }) => symbol === undefined).map(({ spelling }) => spelling),
  };
}
