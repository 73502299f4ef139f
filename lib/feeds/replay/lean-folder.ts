import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isSourceName, listFiles, listFolders } from "@/lib/feeds/replay/folders";
import { openLeanRows } from "@/lib/feeds/replay/lean-rows";
import type { RecordedFile, RecordedSeries, TickRows } from "@/lib/feeds/replay/recorded-file";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { HOUR_MS } from "@/lib/time/units";

const DAY_FILE = /^(\d{8})_quote\.zip$/;

/**
 * Lists recordings in the layout of QuantConnect's Lean, `<class>/<broker>/tick/<symbol>/<yyyymmdd>_quote.zip`: one
 * file for each civil day, with rows in milliseconds from that day's midnight. Other files are ignored.
 */
export function listLeanSeries(dir: string): RecordedSeries[] {
  const found: RecordedSeries[] = [];
  for (const assetClass of listFolders(dir)) {
    for (const source of listFolders(join(dir, assetClass)).filter(isSourceName)) {
      const tickFolder = join(dir, assetClass, source, "tick");
      for (const brokerSymbol of listFolders(tickFolder)) {
        const files = listDays(join(tickFolder, brokerSymbol));
        if (files.length > 0) found.push({ source, brokerSymbol, files });
      }
    }
  }
  return found;
}

function listDays(folder: string): RecordedFile[] {
  return listFiles(folder).flatMap((name) => {
    const date = DAY_FILE.exec(name)?.[1];
    return date === undefined ? [] : [createDayFile(join(folder, name), date)];
  });
}

function createDayFile(path: string, date: string): RecordedFile {
  return {
    path,
    endMs: (zone) => listHourStarts(date, zone)[24] as number,
    open: (zone) => openDatedRows(readFileSync(path), listHourStarts(date, zone)),
  };
}

function openDatedRows(zip: Uint8Array, hourStartsMs: readonly number[]): TickRows {
  const read = openLeanRows(zip);
  const rows: TickRows = {
    timeMs: 0,
    bid: 0,
    ask: 0,
    malformed: 0,
    next() {
      const isThere = read.next();
      rows.malformed = read.malformed;
      if (!isThere) return false;
      const hour = Math.floor(read.ms / HOUR_MS);
      rows.timeMs = (hourStartsMs[hour] as number) + Math.floor(read.ms - hour * HOUR_MS);
      rows.bid = read.bid;
      rows.ask = read.ask;
      return true;
    },
  };
  return rows;
}

/** UTC moments of the 25 full hours of a civil day, first and last midnight included: exact over a clock change. */
function listHourStarts(date: string, zone = "UTC"): number[] {
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)].map(Number) as [
    number,
    number,
    number,
  ];
  return Array.from({ length: 25 }, (_, hour) => zonedTimeToUtcMs(zone, year, month, day, hour * HOUR_MS));
}
