import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openDukascopyRows } from "@/lib/feeds/replay/dukascopy-rows";
import { isSourceName, listFiles, listFolders } from "@/lib/feeds/replay/folders";
import type { RecordedFile, RecordedSeries } from "@/lib/feeds/replay/recorded-file";
import type { Instrument } from "@/lib/market/instrument";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";
import { HOUR_MS } from "@/lib/time/units";

const HOUR_FILE = /^([01]\d|2[0-3])h_ticks\.bi5$/;

/** Lists recordings in Dukascopy's layout, `<broker>/<SYMBOL>/<yyyy>/<mm>/<dd>/<hh>h_ticks.bi5`: UTC, months from 00. */
export function listDukascopySeries(dir: string): RecordedSeries[] {
  const found: RecordedSeries[] = [];
  for (const source of listFolders(dir).filter(isSourceName)) {
    for (const brokerSymbol of listFolders(join(dir, source))) {
      const files = listHours(join(dir, source, brokerSymbol), brokerSymbol);
      if (files.length > 0) found.push({ source, brokerSymbol, files });
    }
  }
  return found;
}

function listHours(folder: string, brokerSymbol: string): RecordedFile[] {
  const found: RecordedFile[] = [];
  for (const year of listNumbers(folder, 4)) {
    for (const month of listNumbers(join(folder, year), 2)) {
      for (const day of listNumbers(join(folder, year, month), 2)) {
        for (const name of listFiles(join(folder, year, month, day))) {
          const hour = HOUR_FILE.exec(name)?.[1];
          if (hour === undefined) continue;
          const hourMs = Date.UTC(Number(year), Number(month), Number(day), Number(hour));
          found.push(createHourFile(join(folder, year, month, day, name), hourMs, brokerSymbol));
        }
      }
    }
  }
  return found;
}

function listNumbers(folder: string, digits: number): string[] {
  return listFolders(folder).filter((name) => name.length === digits && /^\d+$/.test(name));
}

function createHourFile(path: string, hourMs: number, brokerSymbol: string): RecordedFile {
  return {
    path,
    endMs: () => hourMs + HOUR_MS,
    open: () => openDukascopyRows(readFileSync(path), hourMs, getScale(brokerSymbol)),
  };
}

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

function getUsualScale({ category, digits }: Instrument): number | undefined {
  if (category === "crypto") return undefined;
  return category === "forex" ? digits : 3;
}
