import { readFileSync } from "node:fs";
import { findDukascopyHour, findNamedSymbol } from "@/lib/feeds/files/file-names";
import { decodeLzma } from "@/lib/feeds/files/lzma";
import { createRow, FileRefused, type PriceFile, type PriceRows } from "@/lib/feeds/files/price-rows";
import type { TickRows } from "@/lib/feeds/replay/recorded-series";
import { getBuiltInDigits } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";

/** Dukascopy's decimals, where they are neither the catalog's (currencies) nor three (everything else). */
const SCALES: Readonly<Record<string, number>> = {
  USDTHB: 4,
  NATGAS: 4,
  XLMUSD: 4,
  TRXUSD: 5,
  BTCUSD: 1,
  BTCEUR: 1,
  ETHUSD: 1,
  ETHEUR: 1,
  LTCUSD: 1,
  BCHUSD: 1,
};

/**
 * The files do not contain the position of the decimal point. Throws if it is unknown, because a price must not be
 * guessed.
 */
export function getScale(brokerSymbol: string): number {
  const instrument = catalogResolver.find(brokerSymbol);
  const scale = instrument === undefined ? undefined : (SCALES[instrument.symbol] ?? getUsualScale(instrument));
  if (scale === undefined) throw new Error(`the decimals of Dukascopy's ${brokerSymbol} are unknown`);
  return scale;
}

function getUsualScale({ symbol, category }: Instrument): number | undefined {
  if (category === "crypto") return undefined;
  return category === "forex" ? getBuiltInDigits(symbol) : 3;
}

/** A file of Dukascopy: one hour of ticks, whose symbol and hour are in its path. */
export function openBi5File(path: string, bytes: number): PriceFile {
  if (/candles/i.test(path)) {
    throw new FileRefused(
      path,
      "Dukascopy's candles are not read: import its hours of ticks, 00h_ticks.bi5 to 23h_ticks.bi5",
    );
  }
  const hourMs = findDukascopyHour(path);
  if (hourMs === null) {
    throw new FileRefused(
      path,
      "a bi5 file is read at its place in Dukascopy's folders: expected SYMBOL/2024/00/31/23h_ticks.bi5, with months from 00",
    );
  }
  const named = findNamedSymbol(path);
  if (named.kind !== "found") throw new FileRefused(path, "expected the symbol's folder above the year");
  const open = () => {
    const rows = createBi5Rows(path, hourMs, getScale(named.instrument.symbol));
    return { rows, bytesRead: () => bytes };
  };
  const { symbol } = named.instrument;
  return { path, format: "dukascopy", kind: "ticks", symbol, zone: "UTC", hasFixedZone: true, bytes, open };
}

function createBi5Rows(path: string, hourMs: number, scale: number): PriceRows {
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

const RECORD_BYTES = 20;

/**
 * Reads one hour of Dukascopy's ticks: LZMA ("alone" format) around records of twenty bytes, big-endian: milliseconds
 * of the hour, ask and bid in units of 10^-scale, and two volumes, which are ignored. An empty file is an hour without
 * ticks. Throws if the file has another format.
 */
export function openDukascopyRows(bi5: Uint8Array, hourMs: number, scale: number): TickRows {
  const bytes = bi5.length === 0 ? bi5 : decodeLzma(bi5);
  if (bytes.length % RECORD_BYTES !== 0) throw new Error("not an hour of ticks: its last record is incomplete");
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
