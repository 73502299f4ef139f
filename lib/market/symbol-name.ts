import type { Category } from "@/lib/market/instrument";
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

interface NameKind {
  readonly category: Category;
  readonly group: Group | null;
}

/** Markets that differ from their category in hours or pip. */
type Group = "grain" | "soft" | "brent" | "low" | "synthetic" | "dayAndNightShare";

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

const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));

/** ISO 4217 codes that are traded or published, CNH as markets call the offshore yuan, and two that old lists still have. */
export const CURRENCIES = words(
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF " +
    "CLF CLP CNH CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD " +
    "HNL HRK HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD " +
    "MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR " +
    "RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH " +
    "UGX USD UYU UZS VES VND VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG",
);
/** Hundredths of a currency in which shares and crops are priced: pence, US cents, South African cents. */
const SMALL_UNITS = words("GBX USX ZAC ILA");
const PRECIOUS = words("XAU XAG XPT XPD");
/** Oil, gas and industrial metals in the notation of currencies. */
const COMMODITY_CODES = words("XTI XBR XNG XCU XAL XZN XNI XPB XSN XLD");
export const STABLECOINS = words(
  "USDT USDC FDUSD TUSD BUSD GUSD PYUSD RLUSD USDE USDD USDP USDG USDS USDQ USDR USD1 DAI UST USTC EURT EURC EURI EURR EURQ EURS",
);
const COINS = words(
  "AAVE ADA AGIX ALGO ALICE ANKR APE APT AR ARB ATOM AVAX AVE AXS BABYDOGE BAL BAND BAT BCH BGB BNB BNT BONK BSV BTC BTG " +
    "BTT CAKE CELO CFX CHZ CMP COMP CRO CRV CVX DASH DCR DENT DGB DOGE DOT DSH DYDX DYM EGLD ENA ENJ ENS EOS ETC ETH " +
    "ETHW ETHFI FET FIL FLOKI FLOW FLR FTM FTT GALA GMX GRT HBAR HNT HOT HYPE ICP ICX IMX INJ IOST IOT IOTA JASMY JTO " +
    "JUP KAS KAVA KSM LDO LINK LNK LPT LRC LTC LUNA LUNC MANA MASK MAT MATIC MEME MINA MIOTA MKR MNT NEAR NEO NOT " +
    "OMG ONDO ONE ONT OP ORDI PAXG PEPE PENDLE PI POL POLKA POPCAT PYTH QNT QTUM RENDER RNDR ROSE RUNE RVN SAND SEI " +
    "SHIB SNX SOL STETH STRK STX SUI SUSHI TAO THETA TIA TON TRB TRUMP TRX UNI VET VIRTUAL W WAVES WBTC WIF WLD WOO " +
    "XAUT XBT XDG XEC XEM XLM XMR XRP XTZ XVG YFI ZEC ZEN ZIL ZK ZRO ZRX 1INCH",
);
/** Coins that others are quoted in. */
const QUOTE_COINS = words("BTC ETH BNB XBT SOL");
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

/** The suffixes of exchanges, by country. A single letter counts only in capitals. */
const EXCHANGES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    US: "US NAS NASDAQ NYSE ARCA NYSEARCA AMEX BATS OQ",
    DE: "DE ETR XE XETRA XETR GY",
    GB: "GB UK L LSE LN LON",
    FR: "FR PA PAR",
    NL: "NL AS AMS",
    BE: "BE BRU",
    ES: "ES MC MAD BME",
    IT: "IT MI MIL",
    CH: "CH SW VX SIX",
    AT: "AT VI VIE",
    PT: "PT LS LIS",
    IE: "IE IR",
    SE: "SE ST STO",
    DK: "DK CPH",
    NO: "NO OL OSL",
    FI: "FI HE HEL",
    PL: "PL WA WSE",
    CZ: "CZ",
    HU: "HU",
    HK: "HK HKG HKEX",
    JP: "JP T TYO TSE",
    SG: "SG SGX",
    AU: "AU AX ASX",
    IN: "IN NS NSE",
    CA: "CA TO TSX",
    MX: "MX",
    ZA: "ZA JSE",
  }).flatMap(([country, suffixes]) => suffixes.split(" ").map((suffix) => [suffix, country] as const)),
);

const MONTH = "[FGHJKMNQUVXZ]";
const MONTH_NAME = "(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|OCT|NOV|DEC)";
/** Roots of exchange-traded futures, which carry the month without a sign between: "ESZ5". */
const FUTURES: ReadonlyMap<string, Category> = new Map(
  Object.entries({
    metals: "GC MGC SI SIL PL PA GOLD SILVER PLAT PLATINUM PALL PALLADIUM",
    commodities: "CL MCL QM BZ NG QG MNG RB HO HG MHG ZC ZW ZS ZM ZL KE KC CC CT SB OJ LE HE GF WTI BRENT NGAS",
    indices: "ES MES NQ MNQ YM MYM RTY M2K NKD DX VX ZB ZN ZF ZT UB FDAX FESX FGBL FGBM FGBS VIX DXY USDX BUND",
    forex: "6A 6B 6C 6E 6J 6M 6N 6S M6A M6B M6E",
    crypto: "MBT MET BRR",
  }).flatMap(([category, roots]) => roots.split(" ").map((root) => [root, category as Category] as const)),
);
const DATED = [
  new RegExp(`^(.+)[._ -]${MONTH}(?:\\d{1,2}|20\\d\\d)$`, "i"),
  new RegExp(`^(.*\\d)${MONTH}\\d{1,2}$`),
  new RegExp(`^(.+?)[._ -]?(?:\\d{1,2})?${MONTH_NAME}[._ -]?(?:\\d{2}|20\\d\\d)$`, "i"),
  /^(.+?)[._ -](?:\d{6}|20\d{6}|\d{2}-\d{2})$/,
  /^(.+?)[._-](?:F|P|PERP|PERPETUAL|SWAP|FUT|NDF|OTC)$/i,
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

/** "NYSE:TSM", "BINANCE:BTCUSDT", "USDRUB=X", "CL=F". */
function splitVenue(text: string): { venue: string | null; rest: string } {
  const [, venue, behind] = /^([A-Za-z][A-Za-z0-9_]*):([^:]+)$/.exec(text) ?? [];
  if (venue !== undefined && behind !== undefined && behind !== "QUOTE" && !QUOTES.includes(behind))
    return { venue: venue.toUpperCase(), rest: behind };
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
  const plain = squeeze(root);
  const pair = splitPair(plain);
  const category = FUTURES.get(plain);
  const kind = readKind(plain) ?? (category === undefined ? null : { category, group: null });
  if (pair !== null) return describePair(pair, [toSymbol(name)]);
  return { ...NOTHING, candidates: [toSymbol(name)], kind, isSure: kind !== null };
}

function findDatedRoot(name: string): string | null {
  const [, future] = MONTH_BEHIND_ROOT.exec(name) ?? [];
  if (future !== undefined && FUTURES.has(future)) return future;
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
    const withPlace = `${plain}.${place}`;
    return {
      ...NOTHING,
      candidates: place === "US" ? [plain, withPlace] : [withPlace],
      country: place,
      kind: of,
      isSure: true,
    };
  }
}

function readPlain(name: string, hint: NameHint): SymbolName | null {
  const root = removeDecoration(name, hint.isShare);
  if (root === null) return null;
  const dated = root === name ? null : readDated(root);
  if (dated !== null) return dated;
  const pair = hint.isShare ? null : readPair(root, hint);
  if (pair !== null) return { ...pair, candidates: [...pair.candidates, toSymbol(name)] };
  if (hint.isShare) {
    const plain = toSymbol(root);
    const place = hint.country ?? "US";
    const kind: NameKind = { category: "stocks", group: null };
    const candidates = place === "US" ? [plain, `${plain}.US`] : [`${plain}.${place}`];
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
  const isTicker = /^[A-Z]{1,5}(?:[.-][A-Z])?$|^[A-Z]{2,5}[0-9]$/.test(root);
  return { ...NOTHING, candidates, kind: isTicker ? { category: "stocks", group: null } : null };
}

/** "CORN_USD", "DE10YB_EUR", "NATGASUSD", "IN50_USD": a market with a usual name and its currency. */
function readNameAndCurrency(root: string): SymbolName | null {
  const [, name = "", currency = ""] = /^([A-Za-z0-9_]+?)[/_ -]?([A-Z]{3})$/.exec(root) ?? [];
  const kind = name.length < 3 || !isMoney(currency) ? null : readKind(squeeze(name));
  if (kind === null) return null;
  return { ...NOTHING, candidates: [toSymbol(name)], currency, kind, isSure: true };
}

export function isMoney(code: string): boolean {
  return CURRENCIES.has(code) || SMALL_UNITS.has(code);
}

/** An unknown name before a currency is most often a coin: "TURBOUSD", "MTL-USDC". */
function readLoosePair(root: string): SymbolName | null {
  const [, left = "", right = ""] = /^([A-Za-z0-9]{1,12})[/_:-]([A-Za-z0-9]{3,5})$/.exec(root) ?? [];
  const [, head = "", tail = ""] = /^([A-Za-z0-9]{2,12}?)(USD|EUR|GBP|JPY|AUD|BTC|ETH)$/i.exec(root) ?? [];
  const [base, quote] = [(left || head).toUpperCase(), (right || tail).toUpperCase()];
  if (base === "" || /^\d+$/.test(base) || !QUOTES.includes(quote)) return null;
  return describePair({ base, quote, isKnown: false }, [base + quote]);
}

/** Account types of brokers that the resolver of the catalog does not know. */
const OTHER_LETTERS = words("o s t e");
const OTHER_WORDS = words("roll sd lv var");
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
  return word.length > 1 && (ACCOUNT_WORDS.has(word) || OTHER_WORDS.has(word));
}

const named = (text: string) => new RegExp(`^(?:US|UK)?(?:${text.split(" ").join("|")})S?(?=$|[^A-Z])`);
const NAMED_KINDS: readonly (readonly [RegExp, Category, Group | null])[] = [
  [
    /^(?:R(?=\d{1,3}$)|1HZ|JD|RB|BOOM|CRASH|STEP|STPRNG|JUMP|RANGEBREAK|VOLATILITY|HFVOL|DEX|DRIFTSWITCH)\d+/,
    "indices",
    "synthetic",
  ],
  [/^(?:RDBULL|RDBEAR|STPRNG|STEPINDEX|BULLMARKET|BEARMARKET|MULTISTEP|VOLOVER|TREK|SWITCH)/, "indices", "synthetic"],
  [named("GOLD SILVER PLATINUM PALLADIUM GOLDM GOLDMINI SILVERM XAU XAG XPT XPD"), "metals", null],
  [
    named("WHEAT CORN SOY SOYBEAN SOYBN SBEAN SOYBEANOIL SOYBEANMEAL SOYOIL SOYMEAL OAT ROUGHRICE KCWHEAT"),
    "commodities",
    "grain",
  ],
  [
    named("COFFEE COFFEEC COCOA SUGAR SUGAR11 COTTON OJ OJUICE ORANGEJUICE ROBUSTA LSUGAR UKCOCOA"),
    "commodities",
    "soft",
  ],
  [named("BRENT BRENTOIL UKOIL LCO BCO"), "commodities", "brent"],
  [
    named(
      "OIL WTI WTICO CRUDE CRUDEOIL USO SPOTCRUDE SPOTBRENT GASOIL GASOLINE DIESEL HEATOIL HEATINGOIL RBOB NGAS NATGAS " +
        "NATURALGAS GAS COPPER ALUMINIUM ALUMINUM ZINC NICKEL LEAD TIN IRONORE LUMBER CATTLE LIVECATTLE FEEDERCATTLE " +
        "LEANHOG HOG CARBON EMISSION URANIUM LIGHT",
    ),
    "commodities",
    null,
  ],
  [/^(?:VIX|VOLX|VOL$|VSTOXX|DXY|DX$|USDX|DOLLAR|USDOLLAR|EURX|JPYX|USDINDEX)/, "indices", "low"],
  [
    /^(?:BUND|BOBL|SCHATZ|BUXL|BTP|OAT|GILT|LONGGILT|UKGILT|USTBOND|USTN|TNOTE|TBOND|EUROBUND|EUBUND|EURB)\w*$/,
    "indices",
    "low",
  ],
  [/^(?:US|UK|DE|GB|JP|IT|FR|AU|CH|CA)B?(?:0[25]|2|5|10|20|30)YB?R?(?:$|T|[^A-Z])/, "indices", "low"],
  [
    /^(?:TECDAX|MDAX|SDAX|NIFTY|BANKNIFTY|SENSEX|TOPIX|KOSPI|IBOV|BVSP|OMX|TWIX|TAIEX|FTSE|CAC|DAX|IBEX|HSI|HSCEI|HSTECH)/,
    "indices",
    null,
  ],
  [/^[A-Z]{2,10}\d{2,4}$/, "indices", null],
];

/** What a name of letters and digits in capitals is usual for. */
function readKind(plain: string): NameKind | null {
  for (const [pattern, category, group] of NAMED_KINDS) {
    if (pattern.test(plain)) return { category, group };
  }
  return null;
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
