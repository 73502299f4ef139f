import { computeEditDistance } from "@/lib/market/edit-distance";
import type { Instrument } from "@/lib/market/instrument";

/**
 * Resolves the spelling of a broker or a caller to the canonical symbol, with the rule that matched. A wrong instrument
 * is worse than none: a name with two meanings is ambiguous, and a reversed pair is unknown, not inverted.
 */

/**
 * exact: the symbol itself · case: in other letter case · separator: with other punctuation · alias: a synonym ·
 * vendor: a data vendor's notation · decoration: with a broker's prefix or suffix.
 */
type ResolutionRule = "exact" | "case" | "separator" | "alias" | "vendor" | "decoration";

type Resolution =
  | { readonly kind: "found"; readonly instrument: Instrument; readonly rule: ResolutionRule }
  | { readonly kind: "ambiguous"; readonly candidates: readonly string[] }
  | { readonly kind: "unknown"; readonly suggestions: readonly string[] };

export interface Resolver {
  /** Never throws. Suggestions (at most three) come nearest first. */
  resolve(spelling: string): Resolution;
  /** The instrument if exactly one matches. Caches spellings, so it is fast on a hot path. */
  find(spelling: string): Instrument | undefined;
  /** Follows a change of the list: instruments that were added, changed or removed. */
  follow(changed: readonly Instrument[]): void;
}

interface Reading {
  readonly instruments: readonly Instrument[];
  readonly rule: ResolutionRule;
}

/** Far longer than any broker's name; longer text is unknown without being parsed. */
const MAX_SPELLING_LENGTH = 64;
/** The longest spelling that a caller may send; every broker's is shorter. */
export const MAX_CALLER_SPELLING_LENGTH = 32;
/** A sign of the broker before the name, the name with its punctuation, and signs of the broker behind it. */
const SPELLING = /^[#@]?[A-Za-z0-9/_\-. &:=]*[+#\-!^£._$]*\s*$/;
const MAX_CACHED = 20_000;

/** Whether a text could be the spelling of a symbol, known or not, by its length and its characters. */
export function isSpelling(text: string): boolean {
  return text.length <= MAX_CALLER_SPELLING_LENGTH && SPELLING.test(text.trim());
}

/** @param instruments may grow later: call `follow` then */
export function createResolver(instruments: readonly Instrument[]): Resolver {
  let names = createSymbolNames(instruments);
  let suggester = createSuggester(instruments);
  const cache = new Map<string, Instrument>();

  function read(spelling: string): Reading | undefined {
    if (spelling.length > MAX_SPELLING_LENGTH) return undefined;
    const name = spelling.trim();
    const hit = names.find(name);
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
        const { suggest } = suggester;
        // The search is slow, and few callers show its result.
        return {
          kind: "unknown",
          get suggestions() {
            return suggest(spelling);
          },
        };
      }
      if (others.length > 0) {
        return { kind: "ambiguous", candidates: reading.instruments.map(({ symbol }) => symbol) };
      }
      return { kind: "found", instrument, rule: reading.rule };
    },

    find(spelling) {
      if (spelling.length > MAX_SPELLING_LENGTH) return undefined;
      const known = names.findExact(spelling) ?? cache.get(spelling);
      if (known !== undefined) return known;
      const found = read(spelling)?.instruments ?? [];
      const only = found.length === 1 ? found[0] : undefined;
      if (only !== undefined) addToCache(spelling, only);
      return only;
    },

    follow(changed) {
      const listed = new Set(instruments);
      const renamed = changed.filter((instrument) => !listed.has(instrument) || !names.isIndexed(instrument));
      if (renamed.length === 0) return;
      cache.clear();
      // The usual change only adds: a broker may name thousands of instruments, some at a time.
      if (renamed.every(({ symbol }) => names.findExact(symbol) === undefined)) {
        names.add(renamed);
        suggester.add(renamed);
      } else {
        names = createSymbolNames(instruments);
        suggester = createSuggester(instruments);
      }
    },
  };

  function addToCache(spelling: string, instrument: Instrument) {
    const [oldest] = cache.size >= MAX_CACHED ? cache.keys() : [];
    if (oldest !== undefined) cache.delete(oldest);
    cache.set(spelling, instrument);
  }
}

function distinct(found: readonly Instrument[]): readonly Instrument[] {
  return [...new Set(found)];
}

const MAX_SUGGESTIONS = 3;
/** Only the beginning of a longer spelling is compared: no name is longer, and the work stays bounded. */
const MAX_COMPARED = 16;
const MIN_PREFIX = 2;
/**
 * A name that lacks more characters of the spelling than this cannot be near, so most of the catalog needs no distance.
 */
const MAX_MISSING = 2;

interface Name {
  readonly symbol: string;
  readonly text: string;
  readonly characters: number;
}

interface Suggester {
  /** Up to three symbols whose names are near an unknown spelling, nearest first. The reversed pair comes before all. */
  suggest(spelling: string): readonly string[];
  add(instruments: readonly Instrument[]): void;
}

function createSuggester(instruments: readonly Instrument[]): Suggester {
  const names: Name[] = [];
  const reversedPairs = new Map<string, string>();
  function add(added: readonly Instrument[]): void {
    for (const { symbol, aliases, base, quote } of added) {
      for (const name of [symbol, ...aliases]) {
        const text = squeeze(name) ?? name;
        names.push({ symbol, text, characters: toCharacterSet(text) });
      }
      if (base && quote) reversedPairs.set(`${quote}${base}`, symbol);
    }
  }
  add(instruments);

  function suggest(spelling: string): readonly string[] {
    const squeezed = squeeze(spelling.slice(0, 4 * MAX_COMPARED).replace(/[^A-Za-z0-9]+/g, ""))?.slice(0, MAX_COMPARED);
    if (squeezed === undefined) return [];
    const tolerance = getTolerance(squeezed);
    const distances = new Map<string, number>();
    const reversed = reversedPairs.get(squeezed);
    if (reversed !== undefined) distances.set(reversed, -1);
    const ownCharacters = toCharacterSet(squeezed);
    const isFar = (characters: number) => countBits(ownCharacters & ~characters) > MAX_MISSING;
    for (const { symbol, text, characters } of names) {
      const distance = measureDistance(squeezed, text, isFar(characters) ? 0 : tolerance);
      if (distance <= tolerance && distance < (distances.get(symbol) ?? Infinity)) distances.set(symbol, distance);
    }
    const nearest = [...distances].sort(([, one], [, other]) => one - other);
    return nearest.slice(0, MAX_SUGGESTIONS).map(([symbol]) => symbol);
  }

  return { suggest, add };
}

/**
 * One typing error in a short name, two from six characters on; in the shortest none: they only match as a beginning.
 */
function getTolerance(squeezed: string): number {
  return squeezed.length < 3 ? 0.5 : squeezed.length < 6 ? 1 : 2;
}

/** Edit distance, except that a name that begins with the other counts as half an error. */
function measureDistance(squeezed: string, name: string, tolerance: number): number {
  if (squeezed.length >= MIN_PREFIX && name.startsWith(squeezed)) return 0.5;
  if (name.length >= 5 && squeezed.startsWith(name)) return 0.5;
  if (tolerance < 1 || Math.abs(squeezed.length - name.length) > tolerance) return Infinity;
  return computeEditDistance(squeezed, name, tolerance);
}

/** The set of characters in a text as bits: one for each letter, and the digits in pairs. */
function toCharacterSet(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    bits |= 1 << (code >= 65 ? code - 65 : 26 + ((code - 48) >> 1));
  }
  return bits;
}

function countBits(bits: number): number {
  let count = 0;
  for (let rest = bits; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/**
 * Prefixes and suffixes that brokers add to a name for their account types: "EURUSDm", "EURUSD.r", "XAUUSD-", "#AAPL",
 * "US30.cash". They are removed only if the rest is a known name and the decorated name cannot be a real one: BTCUSDC
 * is Bitcoin in another currency, DAXK another index, and a one-letter ticker plus a letter another company.
 */

export const ACCOUNT_LETTERS: ReadonlySet<string> = new Set(["m", "c", "r", "a", "b", "i", "x", "k", "z"]);
export const ACCOUNT_WORDS: ReadonlySet<string> = new Set(
  "micro mini pro ecn raw stp vip prime std cash roll spot sim sml var sd lv fx forex".split(" "),
);
const MAX_WORD_LENGTH = 5;
const TRAILING_SIGNS: ReadonlySet<string> = new Set("+#-!^£._$".split(""));
const DOTS: ReadonlySet<string> = new Set("._-".split(""));
const MIN_ROOT_LENGTH = 3;
/** A shorter synonym with one more letter may be another name. */
const MIN_SYNONYM_LENGTH = 4;

/** Every instrument that a name may mean without one prefix, one suffix, or both; empty if none is known. */
function removeDecoration(spelling: string, names: SymbolNames): readonly Instrument[] {
  const [prefix] = /^(?:[#@.]|m\.)/.exec(spelling) ?? [];
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
    const isLetter = ACCOUNT_LETTERS.has(token.toLowerCase());
    if (!isLetter && !ACCOUNT_WORDS.has(token.toLowerCase())) continue;
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

/**
 * Names in the notation of data vendors: "OANDA:EUR_USD", "EURUSD=X", "US30_USD", "AAPL.US-USD". Each form is accepted
 * only if it cannot name anything else: NYSE:GOLD is a mining company, XETR:AAPL is priced in euros.
 */

/**
 * Vendors that quote currencies and CFDs with these prefixes, so that a synonym after one is not a company's ticker.
 */
const QUOTE_VENDORS: ReadonlySet<string> = new Set(["C", "X", "FX", "FX_IDC", "OANDA", "FXCM", "FOREXCOM", "TVC"]);
const US_EXCHANGES: ReadonlySet<string> = new Set(["NASDAQ", "NYSE", "AMEX", "ARCA", "BATS"]);
const US_SUFFIXES: ReadonlySet<string> = new Set(["US", "NAS", "NASDAQ", "NYSE"]);

const PREFIXED = /^([A-Za-z][A-Za-z0-9_]*):([^:]+)$/;
const QUOTE_SUFFIXED = /^([^:]+):QUOTE$/i;
const YAHOO_PAIR = /^([A-Za-z]{6})=X$/i;
const DERIV_PAIR = /^(?:frx|cry)([A-Z0-9]{6,})$/;
const SHARE = /^([A-Za-z0-9]+)(?:_CFD)?\.([A-Za-z]+)(?:-([A-Za-z]{3}))?$/;
const WITH_CURRENCY = /^(.+?)[/_-]?([A-Za-z]{3})$/;

/** The instruments that a name in a vendor's notation may mean; empty if it is unknown. */
function readVendorSyntax(spelling: string, names: SymbolNames): readonly Instrument[] {
  const prefixed = PREFIXED.exec(spelling);
  const suffixed = QUOTE_SUFFIXED.exec(spelling) ?? YAHOO_PAIR.exec(spelling) ?? DERIV_PAIR.exec(spelling);
  const readings = [
    findBehindPrefix(prefixed?.[1], prefixed?.[2], names),
    suffixed?.[1] === undefined ? [] : listCanonical(names.find(suffixed[1])).filter(isNoStock),
    readShare(SHARE.exec(spelling), names),
    readNameAndCurrency(WITH_CURRENCY.exec(spelling), names),
  ];
  return readings.flat();
}

function findBehindPrefix(
  prefix: string | undefined,
  name: string | undefined,
  names: SymbolNames,
): readonly Instrument[] {
  if (prefix === undefined || name === undefined) return [];
  const vendor = prefix.toUpperCase();
  const hit = names.find(name);
  if (US_EXCHANGES.has(vendor)) return listCanonical(hit).filter(isUsStock);
  if (!QUOTE_VENDORS.has(vendor)) return listCanonical(hit).filter(isNoStock);
  const found = hit?.instruments ?? readNameAndCurrency(WITH_CURRENCY.exec(name), names);
  return found.filter(isNoStock);
}

/** "AAPL.US", "AAPL_CFD.US", "AAPL.US-USD", "SAP.DE-EUR". */
function readShare(match: RegExpExecArray | null, names: SymbolNames): readonly Instrument[] {
  const [, ticker, place = "", currency] = match ?? [];
  if (ticker === undefined) return [];
  const isUs = US_SUFFIXES.has(place.toUpperCase());
  const hits = listCanonical(names.find(isUs ? ticker : `${ticker}.${place}`));
  return hits
    .filter((instrument) => instrument.category === "stocks" && isUsStock(instrument) === isUs)
    .filter((instrument) => currency === undefined || instrument.quote === currency.toUpperCase());
}

/**
 * "US30_USD", "WTICO_USD": an index or commodity with the currency that it is priced in, if the catalog's is the same.
 * Three letters with a currency look like a pair: exchanges trade a coin as SPXUSD.
 */
function readNameAndCurrency(match: RegExpExecArray | null, names: SymbolNames): readonly Instrument[] {
  const [, name, currency] = match ?? [];
  if (name === undefined || currency === undefined || /^[A-Za-z]{1,3}$/.test(name)) return [];
  const priced = (names.find(name)?.instruments ?? []).filter(({ quote }) => quote === currency.toUpperCase());
  return priced.filter(({ category }) => category === "indices" || category === "commodities");
}

function listCanonical(hit: NameHit | undefined): readonly Instrument[] {
  return hit?.isCanonical === true ? hit.instruments : [];
}

function isNoStock({ category }: Instrument): boolean {
  return category !== "stocks";
}

function isUsStock({ category, symbol }: Instrument): boolean {
  return category === "stocks" && !symbol.includes(".");
}

/** How a plain name without broker decoration matched. */
type NameRule = "exact" | "case" | "alias" | "separator";

interface NameHit {
  /** Several if the name is shared by several instruments. */
  readonly instruments: readonly Instrument[];
  readonly rule: NameRule;
  /** Whether the name is the canonical symbol, in any punctuation, and not a synonym. */
  readonly isCanonical: boolean;
}

interface SymbolNames {
  find(name: string): NameHit | undefined;
  /** The instrument with this canonical symbol, as written. */
  findExact(symbol: string): Instrument | undefined;
  /** Whether an instrument is in the list, with the names that it has now. */
  isIndexed(instrument: Instrument): boolean;
  add(instruments: readonly Instrument[]): void;
}

/** Words of ASCII letters and digits with punctuation between them, never around: "EUR/USD", "US Natural Gas", "S&P500". */
const PUNCTUATED = /^[A-Za-z0-9]+(?:[/_\-. &]+[A-Za-z0-9]+)*$/;
const PUNCTUATION = /[/_\-. &]+/g;
/** Shorter names are too ambiguous without their punctuation: "B-A" is not Boeing. */
const MIN_SQUEEZED_LENGTH = 3;

/** The name without punctuation, in upper case; undefined for anything other than plain ASCII words. */
function squeeze(name: string): string | undefined {
  return PUNCTUATED.test(name) ? name.replace(PUNCTUATION, "").toUpperCase() : undefined;
}

/** The canonical symbols and synonyms of a catalog, found as written, in any case, or in other punctuation. */
function createSymbolNames(instruments: readonly Instrument[]): SymbolNames {
  const symbols = new Map<string, Instrument>();
  const squeezedSymbols = new Map<string | undefined, Instrument>();
  /** By their text without punctuation, or as they are written if that has other characters, such as "#TSM+". */
  const squeezedAliases = new Map<string, Instrument[]>();
  const indexed = new Map<Instrument, Instrument["aliases"]>();
  function add(added: readonly Instrument[]): void {
    for (const instrument of added) {
      indexed.set(instrument, instrument.aliases);
      symbols.set(instrument.symbol, instrument);
      const squeezed = squeeze(instrument.symbol);
      // The earlier one keeps a text that two symbols share.
      if (!squeezedSymbols.has(squeezed)) squeezedSymbols.set(squeezed, instrument);
      for (const alias of new Set(instrument.aliases.map((name) => squeeze(name) ?? name))) {
        squeezedAliases.set(alias, [...(squeezedAliases.get(alias) ?? []), instrument]);
      }
    }
  }
  add(instruments);

  return {
    add,
    findExact: (symbol) => symbols.get(symbol),
    isIndexed: (instrument) =>
      symbols.get(instrument.symbol) === instrument && indexed.get(instrument) === instrument.aliases,
    find(name) {
      const exact = symbols.get(name);
      if (exact !== undefined) return { instruments: [exact], rule: "exact", isCanonical: true };
      const squeezed = squeeze(name);
      if (squeezed === undefined) {
        const written = squeezedAliases.get(name);
        return written && { instruments: written, rule: "alias", isCanonical: false };
      }
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
