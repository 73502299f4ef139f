import { LIST_LIMITS } from "@/lib/access/quote-list";
import type { Resolver } from "@/lib/market/resolver";

/** Far more than a list has symbols. */
export const LONGEST_LIST_TEXT = 20_000;

/** The symbols that a text names, and the spellings that stand for none. */
export interface ListedSymbols {
  readonly symbols: readonly string[];
  readonly unknown: readonly string[];
}

/**
 * Reads symbols from text: on lines, between commas or between spaces, in any broker's spelling. Lines that begin with #
 * are ignored, as in the lists that TradingView exports.
 */
export function parseListText(text: string, resolver: Pick<Resolver, "find">): ListedSymbols {
  const find = (spelling: string) => resolver.find(spelling)?.symbol;
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
