import { readFileSync } from "node:fs";
import { findDukascopyHour, findInstrument } from "@/lib/feeds/files/file-names";
import { createRow, FileRefused, type PriceFile, type PriceRows } from "@/lib/feeds/files/price-rows";
import { getScale } from "@/lib/feeds/replay/dukascopy-folder";
import { openDukascopyRows } from "@/lib/feeds/replay/dukascopy-rows";

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
