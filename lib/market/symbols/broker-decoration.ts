import type { Instrument } from "@/lib/market/instrument";
import type { NameHit, SymbolNames } from "@/lib/market/symbols/symbol-names";

/**
 * Prefixes and suffixes that brokers add to a name for their account types: "EURUSDm", "EURUSD.r", "XAUUSD-", "#AAPL",
 * "US30.cash". They are removed only if the rest is a known name and the decorated name cannot be a real one: BTCUSDC
 * is Bitcoin in another currency, DAXK another index, and a one-letter ticker plus a letter another company.
 */

const LETTERS: ReadonlySet<string> = new Set(["m", "c", "r", "a", "b", "i", "x", "k", "z"]);
const WORDS: ReadonlySet<string> = new Set(
  "micro mini pro ecn raw stp vip prime std cash spot sim sml fx forex".split(" "),
);
const MAX_WORD_LENGTH = 5;
const TRAILING_SIGNS: ReadonlySet<string> = new Set("+#-!^£._$".split(""));
const DOTS: ReadonlySet<string> = new Set("._-".split(""));
const MIN_ROOT_LENGTH = 3;
/** A shorter synonym with one more letter may be another name. */
const MIN_SYNONYM_LENGTH = 4;

/** Every instrument that a name may mean without one prefix, one suffix, or both; empty if none is known. */
export function removeDecoration(spelling: string, names: SymbolNames): readonly Instrument[] {
  const [prefix] = /^(?:[#@]|m\.)/.exec(spelling) ?? [];
  const whole = removeSuffix(spelling, names);
  if (prefix === undefined) return whole;
  const bare = spelling.slice(prefix.length);
  if (prefix !== "#" && bare.length < MIN_ROOT_LENGTH) return whole;
  const behind = [...(names.find(bare)?.instruments ?? []), ...removeSuffix(bare, names)];
  return [...whole, ...(prefix === "m." ? behind : behind.filter((instrument) => mayFollowSign(bare, instrument)))];
}

/** Brokers put # before shares, so "#GOLD" and "#DOW" are companies; an index with its number is unambiguous. */
function mayFollowSign(bare: string, { symbol, category }: Instrument): boolean {
  return category === "stocks" || bare.startsWith(symbol) || /\d/.test(bare);
}

function removeSuffix(text: string, names: SymbolNames): readonly Instrument[] {
  return [...removeSigns(text, names), ...removeToken(text, names)];
}

function removeSigns(text: string, names: SymbolNames): readonly Instrument[] {
  let end = text.length;
  while (end > 0 && TRAILING_SIGNS.has(text.charAt(end - 1))) end--;
  if (end === text.length || end < MIN_ROOT_LENGTH) return [];
  return names.find(text.slice(0, end))?.instruments ?? [];
}

function removeToken(text: string, names: SymbolNames): readonly Instrument[] {
  const found: Instrument[] = [];
  for (let length = 1; length <= MAX_WORD_LENGTH && length < text.length; length++) {
    const token = text.slice(-length);
    const isLetter = LETTERS.has(token.toLowerCase());
    if (!isLetter && !WORDS.has(token.toLowerCase())) continue;
    const isDotted = DOTS.has(text.charAt(text.length - length - 1));
    const root = text.slice(0, text.length - length - (isDotted ? 1 : 0));
    const hit = root.length < MIN_ROOT_LENGTH ? undefined : names.find(root);
    const accepted = hit?.instruments.filter((instrument) =>
      mayCarry({ token, isLetter, isDotted, root, hit, instrument }),
    );
    found.push(...(accepted ?? []));
  }
  return found;
}

interface Decorated {
  readonly token: string;
  readonly isLetter: boolean;
  readonly isDotted: boolean;
  readonly root: string;
  readonly hit: NameHit;
  readonly instrument: Instrument;
}

function mayCarry({ token, isLetter, isDotted, root, hit, instrument }: Decorated): boolean {
  // An upper-case letter after a ticker is a share class or another ticker; a lower-case one is an account type.
  const isSmallBesideCapitals = token === token.toLowerCase() && root === root.toUpperCase();
  if (instrument.category === "stocks") return isSmallBesideCapitals;
  if (isDotted) return true;
  // "GOLDMINI" is another contract, "US30Cash" is not.
  if (!isLetter) return hit.isCanonical || token !== token.toUpperCase();
  // BTCUSDC, BTCUSDR and BTCEURI are quoted in the coins USDC, USDR and EURI, and EURUSDC is such a pair too. Only a
  // lower-case letter after a plain symbol is an account type there.
  const mayBeCoin = instrument.category === "crypto" || token.toLowerCase() === "c";
  if (mayBeCoin) return isSmallBesideCapitals && hit.rule === "exact";
  return hit.isCanonical || (isSmallBesideCapitals && root.length >= MIN_SYNONYM_LENGTH);
}
