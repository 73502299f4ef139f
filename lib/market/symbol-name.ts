import type { Category } from "@/lib/market/instrument";
import {
  COINS,
  COMMODITY_CODES,
  CURRENCIES,
  EXCHANGES,
  isMoney,
  type NameKind,
  PRECIOUS,
  QUOTE_COINS,
  readFuture,
  readKind,
  STABLECOINS,
  words,
} from "@/lib/market/market-words";
import { ACCOUNT_LETTERS, ACCOUNT_WORDS } from "@/lib/market/resolver";

/**
 * Reads the shape of a symbol's name that no catalog has: what belongs to the name and what the broker added, whether it
 * is a pair, a share of an exchange, a dated future, or a market with a usual name. A sign is removed only if it cannot be
 * part of the name: BTCUSDC is Bitcoin in another currency, BRK.B a class of shares, CL_Z6 crude oil of December.
 */

export interface SymbolName {
  /** The clean name first, and then what may take its place if that is already another instrument's. May be empty. */
  readonly candidates: readonly string[];
  readonly pair: NamedPair | null;
  /** ISO 3166 code of the exchange that the name mentions, or "EU"; null if it mentions none. */
  readonly country: string | null;
  /** The currency that stands behind a name that is no pair: "CORN_USD", "AGES.GB-GBX". */
  readonly currency: string | null;
  /** What kind of market the name is usual for. */
  readonly kind: NameKind | null;
  /** Whether the kind is certain from the name, such as two ISO codes, or only likely, such as four capitals. */
  readonly isSure: boolean;
}

interface NamedPair {
  readonly base: string;
  readonly quote: string;
  readonly isKnown: boolean;
}

export interface NameHint {
  /** Whether the source says that it is a share. */
  readonly isShare: boolean;
  /** The exchange's country if the source says it and it is not the USA. */
  readonly country: string | null;
  /** The two codes that the source says, in upper case; they count if the name is made of them. */
  readonly base: string | null;
  readonly quote: string | null;
}

const MAX_SPELLING_LENGTH = 64;
export const MAX_SYMBOL_LENGTH = 32;
/** Letters of other alphabets look like Latin ones, so a name with them is not read. Signs such as £ are decoration. */
const UNREADABLE = /(?![\x20-\x7e])[\p{L}\p{M}\p{N}\p{C}\p{Z}]/u;

/** What currencies are quoted in on exchanges of coins. */
const MONEY_PAID_IN = words("USDT USDC BTC ETH");
/** Kraken's own codes. */
const OTHER_CODES: ReadonlyMap<string, string> = new Map([
  ["XBT", "BTC"],
  ["XDG", "DOGE"],
]);
/** The longest first, but the dollar before the coins that end like it: ARBUSD is ARB in dollars, not AR in BUSD. */
const QUOTES = [
  "USD",
  ...[...STABLECOINS, ...CURRENCIES, ...QUOTE_COINS, ...PRECIOUS].sort((a, b) => b.length - a.length),
];

const MONTH = "[FGHJKMNQUVXZ]";
const MONTH_NAME = "(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)";
const DATED = [
  new RegExp(`^(.+)[._ -]${MONTH}(?:\\d{1,2}|20\\d\\d)$`, "i"),
  new RegExp(`^(.*\\d)${MONTH}\\d{1,2}$`),
  new RegExp(`^(.+?)[._ -]?(?:\\d{1,2})?${MONTH_NAME}[._ -]?(?:\\d{2}|20\\d\\d)$`, "i"),
  /^(.+?)[._ -](?:\d{6}|20\d{6}|\d{2}-\d{2})$/,
  /^(.+?)[._-](?:F|P|PERP|PERPETUAL|SWAP|FUT|NDF|OTC)$/i,
  // Kraken and KuCoin write perpetual contracts so.
  /^(?:PF|PI|FI|FF)_(.+)$/,
  /^(.+USDT)M$/,
];
const MONTH_BEHIND_ROOT = new RegExp(`^([A-Z0-9]{2,9}?)${MONTH}(?:\\d{1,2}|20\\d\\d)$`);

/** Reads a spelling of any length; null if it is empty, too long, or in another alphabet. */
export function readSymbolName(spelling: string, hint: NameHint): SymbolName | null {
  const text = spelling.trim();
  if (text === "" || text.length > MAX_SPELLING_LENGTH || UNREADABLE.test(text)) return null;
  const { venue, rest } = splitVenue(text);
  const name = removeFrame(rest);
  const isCapital = !hasSmallTail(name);
  return (
    readVendorName(name) ??
    (isCapital && !hint.isShare ? readPair(name, hint) : null) ??
    readDated(name) ??
    readShare(name, venue, hint) ??
    readPlain(name, hint)
  );
}

/** "NYSE:TSM", "BINANCE:BTCUSDT", "USDRUB=X", "CL=F"; no venue in "ETHW:USD", and none in Bitfinex's "tBTC:CNHT". */
function splitVenue(text: string): { venue: string | null; rest: string } {
  const [, venue = "", behind = ""] = /^([A-Za-z][A-Za-z0-9_]*):([^:]+)$/.exec(text) ?? [];
  const isPair = /^t[A-Z0-9]+$/.test(venue) || QUOTES.includes(behind);
  if (venue !== "" && behind !== "QUOTE" && !isPair) return { venue: venue.toUpperCase(), rest: behind };
  return {
    venue: null,
    rest: text
      .replace(/:QUOTE$/, "")
      .replace(/=X$/, "")
      .replace(/=F$/, ".F"),
  };
}

/** Without the signs around a name, and without what Deriv and Bitfinex write before pairs. */
function removeFrame(text: string): string {
  return text
    .replace(/^(?:m\.|[^A-Za-z0-9])+/, "")
    .replace(/^(?:frx|cry|t)(?=[A-Z0-9]{2,}:?[A-Z0-9]{3,}$)/, "")
    .replace(/[^A-Za-z0-9)]+$/, "");
}

/** Whether small letters stand behind capitals: the account type in "PEPEUSDc", where PEPEUSDC would be another pair. */
function hasSmallTail(name: string): boolean {
  return /^[^a-z]*[A-Z0-9][._-]?[a-z]+$/.test(name);
}

/** "COFFEE.CMD-USX", "VOL.IDX-USD", "BUND.TR-EUR". The middle stays where the rest is no name: "PLN.IDX" is no currency. */
function readVendorName(name: string): SymbolName | null {
  const [, root, type, currency = ""] = /^([A-Za-z0-9]+)\.(CMD|IDX|TR|FN)-([A-Za-z]{3})$/.exec(name) ?? [];
  if (root === undefined) return null;
  const symbol = root.toUpperCase();
  const named = readKind(symbol);
  const category = VENDOR_TYPES[type ?? ""] ?? "indices";
  const kind: NameKind = { category, group: type === "TR" ? "low" : null };
  return {
    ...NOTHING,
    candidates: type === "IDX" || type === "FN" ? [`${symbol}.${type}`] : [symbol],
    currency: currency.toUpperCase(),
    kind: named?.category === kind.category ? named : kind,
    isSure: true,
  };
}

const VENDOR_TYPES: Readonly<Record<string, Category>> = {
  CMD: "commodities",
  IDX: "indices",
  TR: "indices",
  FN: "stocks",
};
const NOTHING: SymbolName = { candidates: [], pair: null, country: null, currency: null, kind: null, isSure: false };

/** A pair of two known codes, with at most one sign between. */
function readPair(name: string, { base, quote }: NameHint): SymbolName | null {
  const match = /^([A-Za-z0-9]+?)[/_. :-]?([A-Za-z0-9]+)$/.exec(name);
  if (match === null) return null;
  const isSaid =
    base !== null && quote !== null && base !== quote && squeeze(name) === base + quote && readKind(base) === null;
  const [, left = "", right = ""] = /^([A-Za-z0-9]+)[/_. :-]([A-Za-z0-9]+)$/.exec(name) ?? [];
  const read = left === "" ? splitPair(name.toUpperCase()) : joinPair(left.toUpperCase(), right.toUpperCase());
  const pair = isSaid ? nameCodes(base, quote) : read;
  return pair === null ? null : describePair(pair, [pair.base + pair.quote, toSymbol(name)]);
}

function describePair(pair: NamedPair, candidates: readonly string[]): SymbolName {
  if (COMMODITY_CODES.has(pair.base)) {
    const kind: NameKind = { category: "commodities", group: pair.base === "XBR" ? "brent" : null };
    return { ...NOTHING, candidates, currency: pair.quote, kind, isSure: true };
  }
  const isMoney = CURRENCIES.has(pair.base) && CURRENCIES.has(pair.quote);
  const category = PRECIOUS.has(pair.base) ? "metals" : isMoney ? "forex" : "crypto";
  return { ...NOTHING, candidates, pair, kind: { category, group: null }, isSure: pair.isKnown };
}

/** The two codes of a name without a sign between; null unless both are known. */
function splitPair(text: string): NamedPair | null {
  const [, krakenBase = "", krakenQuote = ""] = /^X([A-Z]{3})[XZ]([A-Z]{3})$/.exec(text) ?? [];
  const kraken = COINS.has(krakenBase) ? joinPair(krakenBase, krakenQuote) : null;
  if (kraken !== null) return kraken;
  for (const quote of QUOTES) {
    const pair = text.endsWith(quote) ? joinPair(text.slice(0, -quote.length), quote) : null;
    if (pair !== null) return pair;
  }
  const [, base = "", quote = ""] = COIN_PAID_IN_COINS.exec(text) ?? [];
  return base === "" ? null : { base, quote, isKnown: true };
}

/** Only a coin is quoted in these. The end of other stablecoins may be the dollar: WHEATUSD is not WHEA in TUSD. */
const COIN_PAID_IN_COINS = /^([A-Z0-9]{1,14})(USDT|USDC|FDUSD)$/;

function joinPair(base: string, quote: string): NamedPair | null {
  const isMetal = PRECIOUS.has(base) && (CURRENCIES.has(quote) || PRECIOUS.has(quote));
  const isMoney = CURRENCIES.has(base) && CURRENCIES.has(quote);
  const isCommodity = COMMODITY_CODES.has(base) && CURRENCIES.has(quote);
  const isCoin = COINS.has(base) || STABLECOINS.has(base);
  const isPaidInCoins = STABLECOINS.has(quote) || QUOTE_COINS.has(quote);
  const isKnown =
    isMetal ||
    (isCoin && PRECIOUS.has(quote)) ||
    isMoney ||
    isCommodity ||
    (isCoin && (isPaidInCoins || CURRENCIES.has(quote))) ||
    (MONEY_PAID_IN.has(quote) && CURRENCIES.has(base));
  if (!isKnown || base === quote) return null;
  return nameCodes(base, quote);
}

function nameCodes(base: string, quote: string): NamedPair {
  return { base: OTHER_CODES.get(base) ?? base, quote: OTHER_CODES.get(quote) ?? quote, isKnown: true };
}

/** "CL_Z6", "ESZ5", "COCOA-MAR26", "BTCUSDT_251226", "US500.F": each is an instrument of its own. */
function readDated(name: string): SymbolName | null {
  const root = findDatedRoot(name);
  if (root === null) return null;
  const plain = squeeze(findDatedRoot(root) ?? root);
  const pair = splitPair(plain);
  if (pair !== null) return describePair(pair, [toSymbol(name)]);
  const kind = readKind(plain) ?? readFuture(plain);
  return { ...NOTHING, candidates: [toSymbol(name)], kind, isSure: kind !== null };
}

function findDatedRoot(name: string): string | null {
  const [, future] = MONTH_BEHIND_ROOT.exec(name) ?? [];
  if (future !== undefined && (readFuture(future) !== null || splitPair(future) !== null)) return future;
  for (const pattern of DATED) {
    const [, root] = pattern.exec(name) ?? [];
    if (root !== undefined) return root;
  }
  return null;
}

/** "TSM.US", "RIO.L", "6501.T", "AGES.GB-GBX", "QQQ.US-24", and shares without a suffix. */
function readShare(name: string, venue: string | null, hint: NameHint): SymbolName | null {
  const kind: NameKind = { category: "stocks", group: null };
  const fromVenue = venue === null ? undefined : EXCHANGES.get(venue);
  if (fromVenue !== undefined) return share(name, fromVenue, kind);
  const match = /^([A-Za-z0-9][A-Za-z0-9&_.-]*?)(?:_CFD)?\.([A-Za-z]{1,8})(?:-([A-Za-z]{3}|24))?$/.exec(name);
  const [, ticker = "", suffix = "", behind] = match ?? [];
  const isCapital = suffix === suffix.toUpperCase() || (suffix.length > 1 && name === name.toLowerCase());
  const country = EXCHANGES.get(suffix.toUpperCase());
  const isLetter = suffix.length === 1;
  const mayBeListing = suffix === "T" ? /^\d/.test(ticker) : !isLetter || /^[A-Za-z]{1,5}$/.test(ticker);
  if (!isCapital || country === undefined || !mayBeListing || splitPair(squeeze(ticker)) !== null) return null;
  if (behind === "24") {
    // Traded day and night, with prices outside the hours of the exchange.
    return { ...share(name, country, { category: "stocks", group: "dayAndNightShare" }), candidates: [toSymbol(name)] };
  }
  return { ...share(ticker, country, kind), currency: behind?.toUpperCase() ?? null };

  function share(symbol: string, place: string, of: NameKind): SymbolName {
    const plain = toSymbol(hint.isShare ? (removeDecoration(symbol, true) ?? symbol) : symbol);
    return { ...NOTHING, candidates: nameShare(plain, place), country: place, kind: of, isSure: true };
  }
}

/** American shares have their ticker, as in the catalog; all others, and tickers that are also a market's name, the place. */
function nameShare(ticker: string, place: string): readonly string[] {
  const withPlace = `${ticker}.${place}`;
  return place === "US" && readKind(squeeze(ticker)) === null ? [ticker, withPlace] : [withPlace];
}

function readPlain(name: string, hint: NameHint): SymbolName | null {
  const root = removeDecoration(name, hint.isShare);
  if (root === null) return null;
  const dated = root === name ? null : readDated(root);
  if (dated !== null) return dated;
  const pair = hint.isShare ? null : readPair(root, hint);
  if (pair !== null) return { ...pair, candidates: [...pair.candidates, toSymbol(name)] };
  if (hint.isShare) {
    const candidates = nameShare(toSymbol(root.replace("/", ".")), hint.country ?? "US");
    const kind: NameKind = { category: "stocks", group: null };
    return { ...NOTHING, candidates, country: hint.country, kind, isSure: true };
  }
  const priced = readNameAndCurrency(root);
  if (priced !== null) return { ...priced, candidates: [...priced.candidates, toSymbol(name)] };
  const candidates = [toSymbol(root), toSymbol(name)];
  const kind = readKind(squeeze(root));
  if (kind !== null) return { ...NOTHING, candidates, kind, isSure: true };
  const loose = readLoosePair(root);
  if (loose !== null) return { ...loose, candidates: [...loose.candidates, toSymbol(name)] };
  const leading = splitPair(squeeze(/^[A-Za-z0-9]+/.exec(root)?.[0] ?? ""));
  if (leading !== null) return describePair(leading, candidates);
  const isTicker = /^[A-Z&]{1,5}(?:[.-][A-Z])?$|^[A-Z]{2,5}[0-9]$|^[A-Z][a-z]+(?:[ -][A-Z][a-z]+)*$/.test(root);
  return { ...NOTHING, candidates, kind: isTicker ? { category: "stocks", group: null } : null };
}

/** "CORN_USD", "DE10YB_EUR", "NATGASUSD", "IN50_USD": a market with a usual name and its currency. */
function readNameAndCurrency(root: string): SymbolName | null {
  const [, name = "", currency = ""] = /^([A-Za-z0-9_]+?)[/_ -]?([A-Z]{3})$/.exec(root) ?? [];
  const kind = name.length < 3 || !isMoney(currency) ? null : readKind(squeeze(name));
  if (kind === null) return null;
  return { ...NOTHING, candidates: [toSymbol(name)], currency, kind, isSure: true };
}

/** An unknown name before a currency is most often a coin: "TURBOUSD", "MTL-USDC". */
function readLoosePair(root: string): SymbolName | null {
  const [, left = "", right = ""] = /^([A-Za-z0-9]{1,12})[/_:-]([A-Za-z0-9]{3,5})$/.exec(root) ?? [];
  const [, head = "", tail = ""] = /^([A-Za-z0-9]{2,12}?)(USD|EUR|GBP|JPY|AUD|BTC|ETH)$/i.exec(root) ?? [];
  const [base, quote] = [(left || head).toUpperCase(), (right || tail).toUpperCase()];
  if (base === "" || /^\d+$/.test(base) || !QUOTES.includes(quote)) return null;
  return describePair({ base, quote, isKnown: false }, [base + quote]);
}

/** Letters of account types that stand behind a sign only. */
const OTHER_LETTERS = words("o s t e");
const CLASSES_OF_SHARES = words("a b c k");
const LETTERS_BEHIND_SHARES = words("m r i");
/** "USDINRpro" and "VIXRoll". */
const ACCOUNT_WORD = [/^(.*[A-Z0-9])([a-z]{2,6})$/, /^(.*[A-Z0-9])([A-Z][a-z]{2,6})$/];
const MIN_ROOT_LENGTH = 3;

/** The name without the account type behind it; null if a letter behind one or two others may be either. */
function removeDecoration(name: string, isShare: boolean): string | null {
  const [, dottedRoot, dotted] = /^(.*[A-Za-z0-9)]) ?[._-] ?([A-Za-z]{1,7})$/.exec(name) ?? [];
  if (dottedRoot !== undefined && dotted !== undefined) {
    return mayFollowSign(dotted, dottedRoot, isShare) ? dottedRoot : name;
  }
  for (const pattern of ACCOUNT_WORD) {
    const [, wordRoot, word] = pattern.exec(name) ?? [];
    if (wordRoot !== undefined && word !== undefined && isAccountWord(word.toLowerCase())) return wordRoot;
  }
  const [, root, letter] = /^([^a-z]*[A-Z0-9])([a-z])$/.exec(name) ?? [];
  if (root !== undefined && letter !== undefined) return removeLetter(name, root, letter, isShare);
  const upper = name.slice(-1);
  const isUpperAccount = upper !== "C" && ACCOUNT_LETTERS.has(upper.toLowerCase());
  const money = isUpperAccount && /^[A-Z]{7}$/.test(name) ? splitPair(name.slice(0, -1)) : null;
  return money !== null && CURRENCIES.has(money.quote) ? name.slice(0, -1) : name;
}

function mayFollowSign(token: string, root: string, isShare: boolean): boolean {
  const small = token.toLowerCase();
  if (isAccountWord(small)) return true;
  if (!ACCOUNT_LETTERS.has(small) && !OTHER_LETTERS.has(small)) return false;
  if (isShare && CLASSES_OF_SHARES.has(small)) return false;
  // A capital behind a sign is a class of shares or a grade of a crop, except behind a pair.
  return token === small || splitPair(squeeze(root)) !== null;
}

function removeLetter(name: string, root: string, letter: string, isShare: boolean): string | null {
  if (isShare ? !LETTERS_BEHIND_SHARES.has(letter) : !ACCOUNT_LETTERS.has(letter)) return name;
  if (squeeze(root).length >= MIN_ROOT_LENGTH || (isShare && letter === "m")) return root;
  return null;
}

function isAccountWord(word: string): boolean {
  return word.length > 1 && ACCOUNT_WORDS.has(word);
}

function squeeze(text: string): string {
  return text.replace(/[^A-Za-z0-9]+/g, "").toUpperCase();
}

/** The name in capitals, with "_" for spaces and signs that a symbol does not have; empty if it is too long or too short. */
function toSymbol(name: string): string {
  const symbol = name
    .toUpperCase()
    .replace(/[^A-Z0-9.&_-]+/g, "_")
    .replace(/^[._&-]+|[._&-]+$/g, "");
  return symbol.length > MAX_SYMBOL_LENGTH ? "" : symbol;
}
