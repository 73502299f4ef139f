import { basename, dirname } from "node:path";
import { isSourceName } from "@/lib/feeds/replay/folders";
import type { Instrument } from "@/lib/market/instrument";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";
import { toDayMs } from "@/lib/time/iso-time";

/** What the path of a file says about its rows. */

/** Folders above the file that may name its symbol: Dukascopy has year, month and day in between. */
const MAX_FOLDERS = 4;
/** Words of vendors' file names that are also names of instruments. */
const NO_SYMBOLS = new Set(["DAT", "ASCII", "TICK", "TICKS", "BID", "ASK", "DATA", "QUOTE", "TRADE", "ALL", "NT"]);

/** The instrument that a path names; null if it names none, or several. The file's own name comes first. */
export function findInstrument(path: string): Instrument | null {
  let folder = path;
  for (let level = 0; level <= MAX_FOLDERS; level++) {
    const found = findInName(basename(folder));
    if (found !== undefined) return found;
    folder = dirname(folder);
  }
  return null;
}

/** Undefined if the name names no instrument, null if it names several. */
function findInName(name: string): Instrument | null | undefined {
  const words = name.split(/[^a-z0-9]+/i).filter((word) => /[a-z]/i.test(word) && !NO_SYMBOLS.has(word.toUpperCase()));
  for (const least of [6, 3]) {
    const long = words.filter((word) => word.length >= least);
    const found = new Set(long.flatMap((word) => catalogResolver.find(word) ?? []));
    if (found.size > 0) return found.size === 1 ? ([...found][0] as Instrument) : null;
  }
  return undefined;
}

/** The day that a name has as eight digits: the UTC milliseconds of its midnight; null if there is none. */
export function findDay(name: string): number | null {
  const match = /(?:^|\D)(\d{4})(\d\d)(\d\d)(?=\D|$)/.exec(name);
  return match === null ? null : toDayMs(Number(match[1]), Number(match[2]), Number(match[3]));
}

/** The hour of a file of Dukascopy, `<yyyy>/<mm>/<dd>/<hh>h_ticks.bi5` with months from 00; null for another path. */
export function findDukascopyHour(path: string): number | null {
  const match = /(\d{4})[/\\](\d\d)[/\\](\d\d)[/\\]([01]\d|2[0-3])h_ticks\.bi5$/.exec(path);
  if (match === null) return null;
  const [year, month, day, hour] = match.slice(1).map(Number) as [number, number, number, number];
  const isDay = toDayMs(year, month + 1, day) !== null;
  return isDay ? Date.UTC(year, month, day, hour) : null;
}

/** The broker of a file in Lean's layout, `<broker>/<resolution>/<symbol>/<yyyymmdd>_quote.zip`; null for another. */
export function findLeanBroker(path: string): string | null {
  const match = /([^/\\]+)[/\\](?:tick|second|minute|hour|daily)[/\\]/.exec(path);
  const name = match?.[1];
  return name !== undefined && isSourceName(name) ? name : null;
}
