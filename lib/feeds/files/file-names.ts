import { basename, dirname } from "node:path";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import { isMoney, PRECIOUS, STABLECOINS, words } from "@/lib/market/market-words";
import { cleanSymbol, describeNewInstrument, type SymbolFacts } from "@/lib/market/new-instrument";
import { readSymbolName } from "@/lib/market/symbol-name";
import { toDayMs } from "@/lib/time/iso-time";

/** What the path of a file says about its rows. */

/** The symbol that a name tells. */
export type NamedSymbol =
  | { readonly kind: "found"; readonly instrument: Instrument }
  /** A symbol that the name surely spells, and the catalog lacks. */
  | { readonly kind: "unlisted"; readonly facts: SymbolFacts }
  /** Several symbols, or a name that several have. */
  | { readonly kind: "several"; readonly symbols: readonly string[] }
  | { readonly kind: "none" };

/** Folders above the file that may name its symbol: Dukascopy has year, month and day in between. */
const MAX_FOLDERS = 4;
const NONE: NamedSymbol = { kind: "none" };

/**
 * The symbol of a path. The file's own name comes first; a folder counts while all names below it tell nothing, as in
 * "EURUSD/2019/1.csv".
 */
export function findNamedSymbol(path: string): NamedSymbol {
  const [, inLean] = LEAN_PATH.exec(path) ?? [];
  if (inLean !== undefined) return readSpelling(inLean.toUpperCase());
  const [, perpetual] = BINANCE_PERPETUAL.exec(path) ?? [];
  if (perpetual !== undefined) return readSpelling(`${perpetual}_PERP`);
  let folder = path;
  for (let level = 0; level <= MAX_FOLDERS; level++) {
    // Spark and Arrow number the files of a folder, such as "symbol=EURUSD/part-00000-3f2a.snappy.parquet".
    // An archive stands above its files like a folder.
    const name = removeEndings(basename(folder)).replace(/^part-\d.*$/, "");
    const found = readVendorName(name) ?? readWords(name);
    if (found.kind !== "none" || listWords(name).some((word) => !isNoise(word))) return found;
    folder = dirname(folder);
  }
  return NONE;
}

const LEAN_PATH = /[/\\](?:tick|second|minute|hour|daily)[/\\]([a-z0-9.]+)(?:[/\\]\d{8}_[a-z]+)?\.zip$/;

/** Binance's perpetual contracts have the names of its coins, in another folder. */
const BINANCE_PERPETUAL = /[/\\]futures[/\\]um[/\\].*[/\\]([A-Z0-9]{4,})-\d{1,2}(?:s|m|h|d|w|mo)-\d{4}-\d\d[^/\\]*$/;

/** "EURUSD.csv.gz" and "EURUSD (1).csv" as "EURUSD". */
function removeEndings(name: string): string {
  return name
    .replace(/(?:\.(?:csv|tsv|txt|prn|jsonl?|ndjson|zip|gz|zst|bz2|xz|parquet|pq|bi5))+$/i, "")
    .replace(/ ?\(\d+\)$/, "");
}

/** Names that vendors give their files, with the symbol as the first group. */
const HISTDATA_NAME = /^(?:DAT|HISTDATA_COM)_(?:ASCII|MT|NT|MS|XLSX)_([A-Z]{6})_(?:M1|T)(?![A-Z])/i;
const VENDOR_NAMES = [
  // Dukascopy's web pages.
  /^([A-Z0-9.&-]+?)_(?:Candlestick_\d+_[A-Z]+|Ticks)_(?:BID_|ASK_)?\d\d\.\d\d\.\d{4}/i,
  // MetaTrader 5: bars, and ticks.
  /^([A-Z0-9.&#+!^$-]+?)_(?:(?:M|H|D|W|MN)\d{1,2}_)?\d{8,12}_\d{8,12}$/i,
  // Binance, also its contracts.
  /^([A-Z0-9]{4,}(?:_PERP|_\d{6})?)-\d{1,2}(?:s|m|h|d|w|mo)-\d{4}-\d\d(?:-\d\d)?$/,
];

/** The symbol of a name that has a vendor's form; null for another name. */
function readVendorName(name: string): NamedSymbol | null {
  const [, code] = HISTDATA_NAME.exec(name) ?? [];
  if (code !== undefined) return readHistDataCode(code.toUpperCase());
  for (const form of VENDOR_NAMES) {
    const [, spelling] = form.exec(name) ?? [];
    if (spelling !== undefined) return readSpelling(spelling);
  }
  return null;
}

/** HistData's own codes of indices. One of them is a coin elsewhere, so all count only in its own names, or surely. */
const HISTDATA_INDICES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    AUXAUD: "AUS200",
    ETXEUR: "EU50",
    FRXEUR: "FRA40",
    GRXEUR: "GER40",
    HKXHKD: "HK50",
    JPXJPY: "JP225",
    NSXUSD: "NAS100",
    SPXUSD: "US500",
    UKXGBP: "UK100",
  }),
);
const COIN_SPX = "SPXUSD";

/** Whether a name is one that HistData gives its files. */
export function isHistDataName(name: string): boolean {
  return HISTDATA_NAME.test(name);
}

function readHistDataCode(code: string): NamedSymbol {
  const index = findHistDataIndex(code);
  if (index !== undefined) return { kind: "found", instrument: index };
  if (code !== "UDXUSD") return readSpelling(code);
  return unlisted({ spelling: "USDX", kind: "index", quote: "USD", description: "US Dollar Index" });
}

function findHistDataIndex(code: string): Instrument | undefined {
  return catalogResolver.find(HISTDATA_INDICES.get(code) ?? "");
}

/** What a vendor's spelling of a whole symbol tells. */
export function readSpelling(spelling: string): NamedSymbol {
  const notations = [spelling, ...listDukascopyNotations(spelling)];
  for (const notation of notations) {
    const read = catalogResolver.resolve(notation);
    if (read.kind === "found") return { kind: "found", instrument: read.instrument };
    if (read.kind === "ambiguous") return { kind: "several", symbols: read.candidates };
  }
  return unlisted({ spelling: notations.at(-1) ?? spelling });
}

/** An instrument of the catalog under the clean name, or one that is to be added. */
function unlisted(facts: SymbolFacts): NamedSymbol {
  const symbol = cleanSymbol(facts);
  const known = symbol === null ? undefined : catalogResolver.find(symbol);
  if (known !== undefined) return { kind: "found", instrument: known };
  return describeNewInstrument(facts) === null ? NONE : { kind: "unlisted", facts };
}

/**
 * The types, or places of exchanges, and currencies behind Dukascopy's names: "AAPL.US-USD" is "AAPL.USUSD", "AAPLUS-USD"
 * or "AAPLUSUSD" in names of files.
 */
const DUKASCOPY_NOTATION =
  /^([A-Z0-9]+?)\.?(CMD|IDX|TR|FN|AT|BE|CH|DE|DK|ES|FI|FR|GB|HK|IE|IT|JP|MX|NL|NO|PT|SE|US)-?(AUD|CHF|DKK|EUR|GBP|GBX|HKD|JPY|MXN|NOK|PLN|SEK|SGD|USD|USX|ZAR)$/i;

function listDukascopyNotations(spelling: string): readonly string[] {
  const [, name = "", type = "", currency = ""] = DUKASCOPY_NOTATION.exec(spelling) ?? [];
  if (name === "" || isKnownPair(spelling)) return [];
  return [`${name}.${type}-${currency}`.toUpperCase()];
}

function isKnownPair(spelling: string): boolean {
  const name = readSymbolName(spelling, { isShare: false, country: null, base: null, quote: null });
  return name?.pair?.isKnown === true && name.isSure;
}

/** Words of file names that tell nothing of the symbol, some of which are also tickers. */
const NOISE = words(
  "dat ascii mt ms xlsx tick ticks bid ask mid last data quote quotes trade trades all nt csv txt histdata com candle " +
    "candles candlestick candlesticks ohlc ohlcv bar bars kline klines min mins minute minutes hour hours hourly day days " +
    "symbol pair ticker instrument daily week weekly month monthly hist history historical price prices rate rates raw clean cleaned full final new old " +
    "copy of to from the and for fx forex metals metal crypto spot cfd index indices commodities stocks train test sample " +
    "backtest mt4 mt5 metatrader metatrader4 metatrader5 dukascopy duka truefx oanda fxcm lean binance kraken bybit ig " +
    "tickstory tds demo real live utc gmt est eet dataset database export exported download downloads parquet year vol " +
    "volume spread update updated merged combined market source sources part jan feb mar apr may jun jul aug sep oct nov dec",
);
const TIMEFRAME_WORD =
  /^(?:(?:m|h|d|w|mn)\d{1,2}|\d{1,4}(?:s|m|h|d|w|t|mo|min|mins|minute|hour|day|month)|minute|hour)$/i;

function isNoise(word: string): boolean {
  return !/[a-z]/i.test(word) || NOISE.has(word.toLowerCase()) || TIMEFRAME_WORD.test(word) || /^[vy]\d+$/i.test(word);
}

function listWords(name: string): readonly string[] {
  return name.split(/[^a-z0-9&]+/i).filter((word) => word !== "");
}

const METALS: ReadonlyMap<string, string> = new Map([...PRECIOUS].map((code) => [code, `${code}USD`]));

/** The symbol among the words of a name: "eurusd-m1-bid-2019", "EUR_USD_2024", "XAU_1h_data", "EURUSD1440". */
function readWords(name: string): NamedSymbol {
  const all = [...name.matchAll(/[a-z0-9&]+/gi)];
  const found: NamedSymbol[] = [];
  const rest: string[] = [];
  for (let at = 0; at < all.length; at++) {
    const [word = "", next = ""] = all.slice(at).map(([text]) => text);
    if (isNoise(word)) continue;
    const pair = readCodes(word, next);
    const from = all[at]?.index ?? 0;
    if (pair !== null) at++;
    const read = pair ?? readWord(word);
    if (read === null) rest.push(word);
    else found.push(readContract(name, { from, to: (all[at]?.index ?? 0) + (all[at]?.[0].length ?? 0) }, read));
  }
  // A short word may be an English one, or part of a note: a ticker counts only if the name says nothing else.
  const [ticker = "", ...others] = rest;
  if (found.length === 0 && others.length === 0 && ticker === ticker.toUpperCase()) {
    const share = catalogResolver.find(ticker);
    if (share !== undefined)
      return readContract(
        name,
        { from: name.indexOf(ticker), to: name.indexOf(ticker) + ticker.length },
        { kind: "found", instrument: share },
      );
  }
  return joinFound(found);
}

const MONTH_NAMES = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC".split(" ");
/** The month and year of a future. "M15" and "H1" are timeframes, "Q1" a quarter of a year, "V2" a version. */
const DELIVERY = "(?:[FGJKNUXZ]\\d{1,2}|[QV]\\d\\d|[HM]2[1-9])";
const IN_WORD = new RegExp(`${DELIVERY}$`);
/** What stands behind the symbol of something that it is made of, and is an instrument of its own. */
const CONTRACT = [
  new RegExp(`^[._-]${DELIVERY}(?![A-Za-z0-9])`),
  /^(?:\d?!|[._ -](?:(?:(?:current|next|bi)[_-]?)?quarter(?:ly)?|perp(?:etual)?|swap|fut(?:ures?)?|ndf|otc|opt(?:ions?)?|call|put|fwd|forward|cfd)(?![a-z]))/i,
  /^(?:[._-]F|\.P)(?![A-Za-z0-9])/,
];
const BEFORE_CONTRACT = /(?:^|[._-])(?:PF|PI|FI|FF)_$/;
/** A day of delivery, maybe with an option's price and side: "_240329", "-29MAR24-45000-C". */
const DELIVERY_DAY =
  /^[._-](?:(\d\d)(\d\d)(\d\d)|(\d{1,2})?([A-Z]{3})(\d\d))(?:-\d+(?:-[CP])?)?(?![A-Z0-9]|[_-]\d{5})/i;
/** These say that it is a contract wherever they stand in a name. */
const CONTRACT_WORD = /(?:^|[^a-z])(?:perp|perpetual|swap|fut|futures?|options?|quarter(?:ly)?|ndf|fwd)(?![a-z])/i;

/** The contract that a name means in place of the symbol at [from, to): a terminal's instrument of the same spelling. */
function readContract(name: string, { from, to }: { from: number; to: number }, read: NamedSymbol): NamedSymbol {
  if (read.kind === "several" || read.kind === "none") return read;
  const behind = name.slice(to);
  const doubtful: NamedSymbol = { kind: "several", symbols: [nameSymbol(read), "a contract on it"] };
  const become = (spelling: string) => {
    const contract = readSpelling(spelling);
    return contract.kind === "none" || nameSymbol(contract) === nameSymbol(read) ? doubtful : contract;
  };
  const [before] = BEFORE_CONTRACT.exec(name.slice(0, from)) ?? [];
  const [end] = CONTRACT.flatMap((form) => form.exec(behind) ?? []);
  const day = DELIVERY_DAY.exec(behind);
  const begin = before === undefined ? from : from - before.replace(/^[._-]/, "").length;
  if (before !== undefined || end !== undefined) return become(name.slice(begin, to + (end ?? day?.[0] ?? "").length));
  if (IN_WORD.test(name.slice(from, to)) && read.kind === "found") return become(name.slice(from, to));
  if (day !== null && !isForex(read)) {
    const [whole, yy, mm, dd, dayOfMonth, month = "", year] = day;
    const number = mm === undefined ? MONTH_NAMES.indexOf(month.toUpperCase()) + 1 : Number(mm);
    const dayMs = toDayMs(2000 + Number(yy ?? year), number, Number(dd ?? dayOfMonth ?? 1));
    // Contracts on coins are delivered on Fridays. Other days may be those of the rows.
    if (dayMs !== null)
      return new Date(dayMs).getUTCDay() === 5 && (dd ?? dayOfMonth) !== undefined
        ? become(name.slice(from, to) + whole)
        : doubtful;
  }
  return CONTRACT_WORD.test(name.slice(0, from)) || CONTRACT_WORD.test(behind) ? doubtful : read;
}

/** The day behind a pair of currencies or a metal is that of the rows. */
function isForex(read: NamedSymbol): boolean {
  const category =
    read.kind === "found"
      ? read.instrument.category
      : read.kind === "unlisted"
        ? describeNewInstrument(read.facts)?.instrument.category
        : undefined;
  return category === "forex" || category === "metals";
}

/** What a name tells, for reports. */
export function nameSymbol(named: NamedSymbol): string {
  if (named.kind === "found") return named.instrument.symbol;
  return named.kind === "unlisted" ? named.facts.spelling : named.kind === "several" ? named.symbols.join(" or ") : "";
}

function joinFound(found: readonly NamedSymbol[]): NamedSymbol {
  const symbols = new Map<string, NamedSymbol>();
  for (const each of found) {
    if (each.kind === "found") symbols.set(each.instrument.symbol, each);
    else if (each.kind === "unlisted") symbols.set(each.facts.spelling, each);
    else if (each.kind === "several") for (const symbol of each.symbols) symbols.set(symbol, each);
  }
  const [only] = symbols.values();
  return symbols.size > 1 ? { kind: "several", symbols: [...symbols.keys()] } : (only ?? NONE);
}

/** Two codes that make a pair: "EUR_USD", "XAU-EUR", "btc_usdt", "NAS100_USD". */
function readCodes(base: string, quote: string): NamedSymbol | null {
  const isCode = (code: string) => isMoney(code) || STABLECOINS.has(code);
  if (!isCode(quote.toUpperCase()) || isNoise(base)) return null;
  const spelling = `${base}_${quote}`.toUpperCase();
  const known = catalogResolver.find(spelling);
  if (known !== undefined) return { kind: "found", instrument: known };
  return isKnownPair(spelling) ? unlisted({ spelling: `${base}${quote}`.toUpperCase() }) : null;
}

/** A word that surely spells one symbol, or one of several; null for another. */
function readWord(word: string): NamedSymbol | null {
  const readings = [word, ...listShorter(word)].flatMap((spelling) => readPlainWord(spelling) ?? []);
  // "EURUSDM5" would be a pair too, of a coin that is called so.
  const listed = readings.filter(({ kind }) => kind !== "unlisted");
  return readings.length === 0 ? null : joinFound(listed.length === 0 ? readings : listed);
}

/** The periods of MetaTrader 4 in minutes, the longest texts first. */
const PERIOD = /^(.*?[a-z].*?)(43200|10080|1440|240|60|30|15|5|1)$/i;
const YEAR_OR_TIMEFRAME = /^(.{3,}?)(?:(?:19|20)\d\d(?:[01]\d)?|_?(?:M|H|D|W)\d{1,2}|\d{1,2}(?:m|h|d)|mn1?)$/i;

/** What a word is without MetaTrader 4's period, a year or a timeframe behind it. */
function listShorter(word: string): readonly string[] {
  const found: string[] = [];
  for (let [, root, digits] = PERIOD.exec(word) ?? []; root !== undefined && digits !== undefined;) {
    found.push(root);
    const shorter = digits.slice(1);
    if (!/^(?:1440|240|60|30|15|5|1)$/.test(shorter)) break;
    [root, digits] = [root + digits.slice(0, 1), shorter];
  }
  const [, root] = YEAR_OR_TIMEFRAME.exec(word) ?? [];
  return root === undefined ? found : [...found, root];
}

function readPlainWord(word: string): NamedSymbol | null {
  const upper = word.toUpperCase();
  const read = catalogResolver.resolve(METALS.get(upper) ?? word);
  if (read.kind === "ambiguous") return { kind: "several", symbols: read.candidates };
  if (read.kind === "found") {
    const isShare = read.instrument.category === "stocks";
    return isShare && word.length < 6 ? null : { kind: "found", instrument: read.instrument };
  }
  if (upper === COIN_SPX) return { kind: "several", symbols: ["US500", "the coin SPX"] };
  const index = findHistDataIndex(upper);
  if (index !== undefined) return { kind: "found", instrument: index };
  return upper.length >= 6 && isKnownPair(upper) ? unlisted({ spelling: upper }) : null;
}

/** What a name says of rows that hold no prices to import: a sentence; null for all other names. */
export function findNameFault(path: string): string | null {
  const name = basename(path);
  return NAME_FAULTS.find(([form, of]) => form.test(of === "name" ? name : path))?.[2] ?? null;
}

const ONLY_TRADES = "these are trades, which have no bid and ask";
const NAME_FAULTS: readonly (readonly [form: RegExp, of: "name" | "path", sentence: string])[] = [
  [/-(?:agg)?trades-\d{4}-\d\d/i, "name", `${ONLY_TRADES}: import the vendor's bars of 1m to 1h`],
  [/_trade\.zip$/i, "name", `${ONLY_TRADES}: import Lean's files of quotes`],
  [
    /-(?:bookDepth|metrics|fundingRate|liquidationSnapshot|BVOLIndex|EOHSummary)-\d{4}/i,
    "name",
    "these are no prices of a symbol: import the vendor's bars of 1m to 1h",
  ],
  [
    /[/\\](?:markPrice|indexPrice|premiumIndex)Klines[/\\]/i,
    "path",
    "these are computed prices, at which nobody trades: import the vendor's klines",
  ],
  [
    /^(?:DAT|HISTDATA_COM)_NT_[A-Z]{6}_T_(?:BID|ASK|LAST)/i,
    "name",
    "its ticks have only one side: import HistData's ticks as ASCII, which have bid and ask",
  ],
  [/\.(?:hst|fxt|hcc|tkc)$/i, "name", "MetaTrader's own files are not read: export bars or ticks as csv there"],
  [
    /\.(?:feather|arrow|orc|avro|h5|hdf5?|pkl|pickle|npy|npz|db|sqlite3?|duckdb|mat|rds|rdata)$/i,
    "name",
    "this format is not read: write it as Parquet or csv",
  ],
  [/\.(?:xlsx?|ods)$/i, "name", "workbooks are not read: save it as csv"],
];

/** The minutes of bars that a name tells; null if it tells none, or several. */
export function findNamedMinutes(path: string): number | null {
  const name = removeEndings(basename(path)).replace(
    /([0-9])[_ ]?(Min|Mins|Minute|Minutes|Hour|Hours|M|H)(?=[_ -])/gi,
    "$1$2",
  );
  // TradingView writes "OANDA_EURUSD, 60".
  const [, period] = /, (\d{1,4})(?:_|$)/.exec(name) ?? [];
  if (period !== undefined) return Number(period);
  const found = new Set(listWords(name).flatMap((word) => readMinutes(word) ?? []));
  const [only] = found;
  return found.size === 1 && only !== undefined ? only : null;
}

function readMinutes(word: string): number | null {
  const [, unit, count] = /^(M|H)(\d{1,2})$/i.exec(word) ?? [];
  if (unit !== undefined) return Number(count) * (unit.toUpperCase() === "H" ? 60 : 1);
  const [, many, of] = /^(\d{1,3})(m|min|mins|minute|minutes|h|hour|hours)$/i.exec(word) ?? [];
  if (of !== undefined) return Number(many) * (/^h/i.test(of) ? 60 : 1);
  const [, root, period] = PERIOD.exec(word) ?? [];
  return root !== undefined && readPlainWord(word) === null && readPlainWord(root) !== null ? Number(period) : null;
}

/** What the path of a file of Dukascopy tells of its rows. */
interface DukascopyPath {
  /** The symbol's folder. */
  readonly folder: string;
  /** The side of bars; null for ticks, which have both. */
  readonly side: "BID" | "ASK" | null;
  /** The beginning of the hour, day, month or year that the file covers. UTC milliseconds. */
  readonly startMs: number;
}

const DUKASCOPY_FOLDERS = String.raw`([^/\\]+)[/\\](\d{4})(?:[/\\](\d\d))?(?:[/\\](\d\d))?[/\\]`;
const DUKASCOPY_TICKS = new RegExp(String.raw`${DUKASCOPY_FOLDERS}([01]\d|2[0-3])h_ticks\.bi5$`);
const DUKASCOPY_BARS = new RegExp(String.raw`${DUKASCOPY_FOLDERS}(BID|ASK)_candles_(min|hour|day)_1\.bi5$`);
/** The folders of year, month and day above each kind of file. */
const DUKASCOPY_DEPTHS: Readonly<Record<string, number>> = { min: 3, hour: 2, day: 1 };

/**
 * Reads `SYMBOL/<yyyy>/<mm>/<dd>/<hh>h_ticks.bi5`, with months from 00, or `BID_candles_min_1.bi5` in the folder of a day,
 * `…_hour_1.bi5` of a month, `…_day_1.bi5` of a year; null for another path.
 */
export function readDukascopyPath(path: string): DukascopyPath | null {
  const [, folder = "", year = "", month, day, hour] = DUKASCOPY_TICKS.exec(path) ?? [];
  if (hour !== undefined)
    return toDukascopyPath(folder, [year, month, day], { depth: 3, side: null, hour: Number(hour) });
  const bars = DUKASCOPY_BARS.exec(path) ?? [];
  const [side, unit] = bars.slice(5);
  if (side !== "BID" && side !== "ASK") return null;
  const depth = DUKASCOPY_DEPTHS[unit ?? ""] ?? 0;
  return toDukascopyPath(bars[1] ?? "", bars.slice(2, 5), { depth, side, hour: 0 });
}

function toDukascopyPath(
  folder: string,
  folders: readonly (string | undefined)[],
  { depth, side, hour }: { readonly depth: number; readonly side: DukascopyPath["side"]; readonly hour: number },
): DukascopyPath | null {
  const numbers = folders.flatMap((each) => (each === undefined ? [] : Number(each)));
  const [year = 0, month = 0, day = 1] = numbers;
  const isDay = numbers.length === depth && toDayMs(year, month + 1, day) !== null;
  return isDay ? { folder, side, startMs: Date.UTC(year, month, day, hour) } : null;
}

/** The broker of a file in Lean's layout, `<broker>/<resolution>/<symbol>/<yyyymmdd>_quote.zip`; null for another. */
export function findLeanBroker(path: string): string | null {
  const match = /([^/\\]+)[/\\](?:tick|second|minute|hour|daily)[/\\]/.exec(path);
  const name = match?.[1];
  return name !== undefined && isSourceName(name) ? name : null;
}

/** Whether a folder's name can be a source's name in answers. */
export function isSourceName(name: string): boolean {
  return /^[a-z0-9-]+$/.test(name);
}
