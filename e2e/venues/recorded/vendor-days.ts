import { readFileSync } from "node:fs";
import { join } from "node:path";
import { inflateRawSync } from "node:zlib";
import type { DayTick } from "@/e2e/venues/recorded/recorded-day";
import { openDukascopyRows } from "@/lib/feeds/files/bi5-rows";
import { HOUR_MS } from "@/lib/time/units";

/** One day of ticks as a vendor's files have it. */
export interface VendorDay {
  readonly symbol: string;
  /** The files and folders to import, in the folder of recorded market data. */
  readonly path: string;
  /** The zone of the times; undefined for the format's own. */
  readonly zone?: string;
  /** All ticks, in the files' order. They are read in the simplest way, without the code that imports them. */
  read(realData: string): DayTick[];
}

/** A day of Lean's format: milliseconds since midnight, bid and ask in a zip with one file. */
function defineLeanDay(vendor: string, symbol: string, midnightMs: number, zone?: string): VendorDay {
  const path = `ticks/lean/Data/forex/${vendor}/tick/${symbol}/20140502_quote.zip`;
  return {
    ...{ symbol: symbol.toUpperCase(), path },
    ...(zone === undefined ? {} : { zone }),
    read: (realData) =>
      readZippedText(join(realData, path))
        .trim()
        .split(/\r?\n/)
        .map((line) => {
          const [ms = NaN, bid = NaN, ask = NaN] = line.split(",").map(Number);
          return { symbol, timeMs: midnightMs + ms, bid, ask };
        }),
  };
}

/** The text of a zip's only file. */
function readZippedText(path: string): string {
  const zip = readFileSync(path);
  return inflateRawSync(zip.subarray(30 + zip.readUInt16LE(26) + zip.readUInt16LE(28))).toString();
}

const DUKASCOPY_PATH = "ticks/dukascopy_ninety47/GBPJPY/2012/11/03";

export const VENDOR_DAYS = {
  oanda: defineLeanDay("oanda", "eurusd", Date.UTC(2014, 4, 2)),
  fxcm: defineLeanDay("fxcm", "eurusd", Date.UTC(2014, 4, 2, 5), "Etc/GMT+5"),
  dukascopy: {
    ...{ symbol: "GBPJPY", path: DUKASCOPY_PATH },
    read: (realData) =>
      Array.from({ length: 24 }, (_, hour) => {
        const file = join(realData, DUKASCOPY_PATH, `${String(hour).padStart(2, "0")}h_ticks.bi5`);
        const rows = openDukascopyRows(readFileSync(file), Date.UTC(2012, 11, 3) + hour * HOUR_MS, 3);
        const ticks: DayTick[] = [];
        while (rows.next()) ticks.push({ symbol: "gbpjpy", timeMs: rows.timeMs, bid: rows.bid, ask: rows.ask });
        return ticks;
      }).flat(),
  },
} satisfies Readonly<Record<string, VendorDay>>;
