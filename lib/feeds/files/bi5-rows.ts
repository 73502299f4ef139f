import { readFileSync } from "node:fs";
import { readDukascopyPath, readSpelling } from "@/lib/feeds/files/file-names";
import { decodeLzma } from "@/lib/feeds/files/lzma";
import { createRow, FileRefused, type PriceFile, type PriceRows } from "@/lib/feeds/files/price-rows";
import type { TickRows } from "@/lib/feeds/replay/recorded-series";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { words } from "@/lib/market/market-words";
import { SECOND_MS } from "@/lib/time/units";

/**
 * The position of the decimal point in Dukascopy's files, which do not contain it: ten points are a pip that Dukascopy
 * publishes for each instrument. Instruments whose published facts contradict each other, such as XLM-USD, are left out.
 */

/** Its currencies; quotes of most have five decimals. */
const CURRENCIES = words(
  "AED AUD CAD CHF CNH CZK DKK EUR GBP HKD HUF ILS JPY MXN NOK NZD PLN RON RUB SAR SEK SGD THB TRY USD ZAR",
);
const DECIMALS_OF_QUOTE: ReadonlyMap<string, number> = new Map([
  ["JPY", 3],
  ["HUF", 3],
  ["THB", 3],
  ["CZK", 4],
]);
/** The decimals of pairs, coins and others that have not those of their kind; undefined where they are in doubt. */
const EXCEPTIONS: ReadonlyMap<string, number | undefined> = new Map(
  Object.entries({
    1: "CSH2GBGBX XAUCZK XAUHUF XAUJPY XAUMXN XAUTHB XAUTRY XAUZAR YFIUSD",
    2: "CMPUSD SOAIDXZAR VOLIDXUSD",
    3: "NZDHKD ADAUSD DSHUSD LNKUSD UNIUSD",
    4: "COPPERCMDUSD GASCMDUSD USDTHB CZKHUF CZKJPY MXNHUF",
    5: "DKKJPY HKDJPY JPYHUF MXNJPY NOKJPY PLNTHB SEKJPY THBHUF THBJPY TRYTHB XAUXAG BATUSD EUCEUR TRXUSD XLMCHF XLMEUR XLMGBP",
    6: "CZKTHB CZKTRY MXNCZK MXNTHB",
    none: "EURTHB",
  }).flatMap(([decimals, codes]) =>
    codes.split(" ").map((code) => [code, decimals === "none" ? undefined : Number(decimals)] as const),
  ),
);
const LARGE_COINS = /^(?:BTC|ETH|LTC|BCH)(?:CHF|EUR|GBP|USD)$/;
const CONTRACT = /^[A-Z0-9]+(?:CMD(?:USD|USX)|IDX(?:AUD|CHF|EUR|GBP|HKD|JPY|PLN|SGD|USD|ZAR)|TR(?:EUR|GBP|USD))$/;
const SHARE =
  /^[A-Z0-9]+(?:ATEUR|BEEUR|CHCHF|DEEUR|DKDKK|ESEUR|FIEUR|FREUR|GBGBP|GBGBX|GBUSD|HKHKD|IEEUR|ITEUR|MXMXN|NLEUR|NONOK|PTEUR|SESEK|USUSD)$/;

/** Dukascopy's decimals of an instrument in its own spelling without signs, such as "DEUIDXEUR"; undefined if unknown. */
function findOwnScale(code: string): number | undefined {
  if (EXCEPTIONS.has(code)) return EXCEPTIONS.get(code);
  if (LARGE_COINS.test(code)) return 1;
  const [base, quote] = [code.slice(0, 3), code.slice(3)];
  if (CURRENCIES.has(quote)) {
    if (base === "XAU" || base === "XAG") return 3;
    if (CURRENCIES.has(base)) return DECIMALS_OF_QUOTE.get(quote) ?? 5;
  }
  if (/^[A-Z0-9]+JPJPY$/.test(code)) return 1;
  return CONTRACT.test(code) || SHARE.test(code) ? 3 : undefined;
}

/** The decimals of a symbol in any spelling. Throws if they are unknown, because a price must not be guessed. */
export function getScale(spelling: string): number {
  const instrument = catalogResolver.find(spelling);
  const spellings = [spelling, ...(instrument === undefined ? [] : [instrument.symbol, ...instrument.aliases])];
  for (const each of spellings) {
    const code = each.toUpperCase().replace(/[^A-Z0-9]+/g, "");
    const scale = findOwnScale(code);
    if (scale !== undefined) return scale;
    if (EXCEPTIONS.has(code)) break;
  }
  throw new Error(`the decimals of Dukascopy's ${spelling} are unknown`);
}

/**
 * A file of Dukascopy: an hour of ticks, or bars of the bid. Its symbol and its beginning are in its path.
 * @param decimals of its prices; undefined for Dukascopy's own
 */
export function openBi5File(path: string, bytes: number, decimals?: number): PriceFile {
  const place = readDukascopyPath(path);
  if (place === null) {
    throw new FileRefused(
      path,
      "a bi5 file is read at its place in Dukascopy's folders: expected SYMBOL/2024/00/31/23h_ticks.bi5, with months from 00",
    );
  }
  const { folder, side, startMs } = place;
  if (side === "ASK")
    throw new FileRefused(path, "these are bars of the ask: bars are made of bid prices, so import those");
  const named = readSpelling(folder);
  if (named.kind === "none" || named.kind === "several")
    throw new FileRefused(path, "expected the symbol's folder above the year");
  const scale = decimals ?? findScale(path, folder);
  const createRows = side === null ? createTickRows : createBarRows;
  const open = () => ({ rows: createRows(path, startMs, scale), bytesRead: () => bytes });
  const symbol = named.kind === "found" ? named.instrument.symbol : named.facts.spelling;
  const kind = side === null ? "ticks" : "bars";
  return { path, format: "dukascopy", kind, symbol, zone: "UTC", hasFixedZone: true, bytes, open };
}

const GIVE_DECIMALS = "give the number of decimals with --decimals, such as --decimals 3";

function findScale(path: string, folder: string): number {
  try {
    return getScale(folder);
  } catch (error) {
    throw new FileRefused(path, `${(error as Error).message}: ${GIVE_DECIMALS}`);
  }
}

function createTickRows(path: string, hourMs: number, scale: number): PriceRows {
  const ticks = openDukascopyRows(readFileSync(path), hourMs, scale);
  const rows: PriceRows = {
    ...createRow(),
    next() {
      if (!ticks.next()) return false;
      rows.at++;
      rows.timeMs = ticks.timeMs;
      rows.bid = ticks.bid;
      rows.ask = ticks.ask;
      return true;
    },
    describe: () => `${new Date(rows.timeMs).toISOString()} ${rows.bid} ${rows.ask}`,
  };
  return rows;
}

const BAR_BYTES = 24;

/** Bars in records of 24 bytes: seconds from the beginning, open, close, low, high in units of 10^-scale, and a volume. */
function createBarRows(path: string, startMs: number, scale: number): PriceRows {
  const bytes = unpackRecords(readFileSync(path), BAR_BYTES, "bars");
  const records = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unitsPerPrice = 10 ** scale;
  const rows: PriceRows = {
    ...createRow(),
    next() {
      const at = rows.at * BAR_BYTES;
      if (at >= bytes.length) return false;
      const price = (index: number) => records.getUint32(at + 4 * index) / unitsPerPrice;
      rows.at++;
      rows.timeMs = startMs + records.getUint32(at) * SECOND_MS;
      rows.open = price(1);
      rows.close = price(2);
      rows.low = price(3);
      rows.high = price(4);
      rows.volume = Math.round(records.getFloat32(at + 20));
      return true;
    },
    describe: () => `${new Date(rows.timeMs).toISOString()} ${rows.open} ${rows.high} ${rows.low} ${rows.close}`,
  };
  return rows;
}

/** An empty file has no records. */
function unpackRecords(bi5: Uint8Array, recordBytes: number, what: string): Uint8Array {
  const bytes = bi5.length === 0 ? bi5 : decodeLzma(bi5);
  if (bytes.length % recordBytes !== 0) throw new Error(`not ${what}: the last record is incomplete`);
  return bytes;
}

const RECORD_BYTES = 20;

/**
 * Reads one hour of Dukascopy's ticks: LZMA ("alone" format) around records of twenty bytes, big-endian: milliseconds
 * of the hour, ask and bid in units of 10^-scale, and two volumes, which are ignored. An empty file is an hour without
 * ticks. Throws if the file has another format.
 */
export function openDukascopyRows(bi5: Uint8Array, hourMs: number, scale: number): TickRows {
  const bytes = unpackRecords(bi5, RECORD_BYTES, "an hour of ticks");
  const records = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const unitsPerPrice = 10 ** scale;
  let at = 0;
  const rows: TickRows = {
    timeMs: 0,
    bid: 0,
    ask: 0,
    malformed: 0,
    next() {
      if (at >= bytes.length) return false;
      rows.timeMs = hourMs + records.getUint32(at);
      rows.ask = records.getUint32(at + 4) / unitsPerPrice;
      rows.bid = records.getUint32(at + 8) / unitsPerPrice;
      at += RECORD_BYTES;
      return true;
    },
  };
  return rows;
}
