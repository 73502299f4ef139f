import { VenueError } from "@/lib/feeds/live/connector";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { MINUTE_MS } from "@/lib/time/units";

/** The rules by which a spelling names an instrument, the surest first. */
const RULES: readonly string[] = ["exact", "case", "separator", "alias", "vendor", "decoration"];
/** An account gets other symbols only when its broker changes it. */
const NOTHING_PAUSE_MS = 5 * MINUTE_MS;

/**
 * Returns what to ask a venue for: of the listed symbols those that the account has, or without a list one symbol for
 * each instrument that the catalog has by now. `warn` gets the missing ones. Throws a VenueError if none is left.
 */
export function chooseSymbols(
  available: readonly string[],
  listed: readonly string[] | null,
  warn: (problem: string) => void,
): string[] {
  const known = new Set(available);
  const wanted = listed === null ? chooseOneEach(available) : [...new Set(listed)];
  const missing = wanted.filter((symbol) => !known.has(symbol));
  if (missing.length > 0) warn(`not in the account, left out: ${missing.join(", ")}`);
  const chosen = wanted.filter((symbol) => known.has(symbol));
  if (chosen.length > 0) return chosen;
  throw new VenueError("the account has none of the symbols", { retryAfterMs: NOTHING_PAUSE_MS });
}

/**
 * Whether a venue must say what a symbol is: the catalog lacks it, or has it from a source that may say more now.
 *
 * @param usual the kind's own symbols, which need nothing
 */
export function isUndescribed(spelling: string, usual: Readonly<Record<string, string>> = {}): boolean {
  if (Object.hasOwn(usual, spelling)) return false;
  const known = catalogResolver.find(spelling);
  return known === undefined || (known.addedBy !== undefined && known.addedBy.source !== null);
}

/** The spelling whose name is surest, since two spellings of one instrument may have two prices. */
function chooseOneEach(available: readonly string[]): string[] {
  const best = new Map<string, { readonly name: string; readonly rank: number }>();
  for (const name of available) {
    const found = catalogResolver.resolve(name);
    if (found.kind !== "found") continue;
    const { symbol } = found.instrument;
    const rank = RULES.indexOf(found.rule);
    if (rank < (best.get(symbol)?.rank ?? Infinity)) best.set(symbol, { name, rank });
  }
  return [...best.values()].map(({ name }) => name);
}

/** What venues are subscribed to unless the operator lists symbols. All have six letters. */
const PAIRS = [
  "EURUSD GBPUSD USDJPY AUDUSD USDCAD USDCHF NZDUSD EURGBP EURJPY EURCHF EURAUD EURCAD EURNZD",
  "GBPJPY GBPCHF GBPAUD GBPCAD GBPNZD AUDJPY AUDCAD AUDCHF AUDNZD CADJPY CADCHF CHFJPY NZDJPY NZDCAD NZDCHF",
  "XAUUSD XAGUSD",
].flatMap((line) => line.split(" "));

/** The last three letters are the currency. */
const COINS = [
  "BTCUSD ETHUSD BTCEUR ETHEUR LTCUSD BCHUSD XRPUSD SOLUSD LINKUSD UNIUSD AVAXUSD DOTUSD ATOMUSD ADAUSD DOGEUSD XLMUSD",
].flatMap((line) => line.split(" "));

type Spell = (base: string, quote: string) => string;

/** Returns the canonical symbol of each usual pair of currencies and metal, by the venue's spelling. */
export function spellPairs(spell: Spell): Readonly<Record<string, string>> {
  return spellAll(PAIRS, spell);
}

/** Returns the canonical symbol of each usual crypto currency, by the venue's spelling. */
export function spellCoins(spell: Spell): Readonly<Record<string, string>> {
  return spellAll(COINS, spell);
}

/** EUR/USD, as most venues write it. */
export const withSlash: Spell = (base, quote) => `${base}/${quote}`;

function spellAll(symbols: readonly string[], spell: Spell): Record<string, string> {
  return Object.fromEntries(symbols.map((symbol) => [spell(symbol.slice(0, -3), symbol.slice(-3)), symbol]));
}
