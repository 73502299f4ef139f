import { readFileSync } from "node:fs";
import { decodeLzma } from "@/lib/feeds/files/lzma";
import { findDukascopyHour, findInstrument } from "@/lib/feeds/files/open-price-file";
import { createRow, FileRefused, type PriceFile, type PriceRows } from "@/lib/feeds/files/price-rows";
import { getScale } from "@/lib/feeds/replay/folders";
import type { TickRows } from "@/lib/feeds/replay/recording";

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
  const instrument = findInstrument(path);
  if (instrument === null) throw new FileRefused(path, "expected the symbol's folder above the year");
  const open = () => {
    const rows = createBi5Rows(path, hourMs, getScale(instrument.symbol));
    return { rows, bytesRead: () => bytes };
  };
  const { symbol } = instrument;
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
