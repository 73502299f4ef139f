import { basename, dirname } from "node:path";
import { FileRefused, IMPORT_TIMEFRAMES, type PriceFile } from "@/lib/feeds/files/price-rows";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { toDayMs } from "@/lib/time/iso-time";
import { MINUTE_MS } from "@/lib/time/units";

/** Rows from which the timeframe of bars is recognised. */
const SAMPLE_BARS = 2_000;

const MINUTES: Readonly<Partial<Record<Timeframe, number>>> = { M1: 1, M5: 5, M15: 15, M30: 30, H1: 60 };

/** What the path of a file says about its rows. */

/** Folders above the file that may name its symbol: Dukascopy has year, month and day in between. */
const MAX_FOLDERS = 4;
/** Words of vendors' file names that are also names of instruments. */
const NO_SYMBOLS = new Set(["DAT", "ASCII", "TICK", "TICKS", "BID", "ASK", "DATA", "QUOTE", "TRADE", "ALL", "NT"]);

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

/** The timeframe of a file of bars: the usual distance of its rows. Throws FileRefused if they cannot be imported. */
export function findTimeframe(file: PriceFile, zone: string): (typeof IMPORT_TIMEFRAMES)[number] {
  const { rows } = file.open(zone);
  const counts = new Map<number, number>();
  let beforeMs = NaN;
  for (let read = 0; read < SAMPLE_BARS && rows.next(); read++) {
    if (rows.fault !== null) continue;
    const step = Math.abs(rows.timeMs - beforeMs) / MINUTE_MS;
    if (step > 0) counts.set(step, (counts.get(step) ?? 0) + 1);
    beforeMs = rows.timeMs;
  }
  const [usual] = [...counts].sort(([a, many], [b, more]) => more - many || a - b);
  const found = IMPORT_TIMEFRAMES.find((timeframe) => MINUTES[timeframe] === usual?.[0]);
  if (found !== undefined) return found;
  const distance = usual === undefined ? "it has fewer than two bars" : `its bars are ${usual[0]} minutes apart`;
  throw new FileRefused(
    file.path,
    `${distance}: expected bars of ${IMPORT_TIMEFRAMES.join(", ")}, since longer ones depend on the broker's day`,
  );
}

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

/** Whether a folder's name can be a source's name in answers. */
export function isSourceName(name: string): boolean {
  return /^[a-z0-9-]+$/.test(name);
}
