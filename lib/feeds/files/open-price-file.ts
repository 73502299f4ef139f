import { statSync } from "node:fs";
import { basename, dirname } from "node:path";
import { openBi5File } from "@/lib/feeds/files/bi5-rows";
import { openBytes, readHead, readLines } from "@/lib/feeds/files/open-bytes";
import { openParquetFile } from "@/lib/feeds/files/parquet";
import { FileRefused, IMPORT_TIMEFRAMES, type PriceFile } from "@/lib/feeds/files/price-rows";
import { findTextLayout, openTextRows, type TextLayout } from "@/lib/feeds/files/text-rows";
import { isSourceName } from "@/lib/feeds/replay/folders";
import { catalogResolver } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import type { Timeframe } from "@/lib/market/timeframe";
import { toDayMs } from "@/lib/time/iso-time";
import { MINUTE_MS } from "@/lib/time/units";

/** Lines from which the layout is recognised. */
const SAMPLE_LINES = 5;
/** Rows from which the timeframe of bars is recognised. */
const SAMPLE_BARS = 2_000;
const UTF8_MARK = [0xef, 0xbb, 0xbf];

/** Recognises a file by its content. Throws FileRefused, which says what was expected. */
export function openPriceFile(path: string): PriceFile {
  const bytes = findSize(path);
  const head = readHead(path, 16);
  const magic = String.fromCharCode(...head.subarray(0, 4));
  if (magic === "PARE") throw new FileRefused(path, "the file is encrypted");
  if (head[0] === 0xff || head[0] === 0xfe) {
    throw new FileRefused(path, "the text is UTF-16: save it as UTF-8, or export it again as plain csv");
  }
  if (/\.bi5$/i.test(path) || (head[0] === 0x5d && head[1] === 0)) return openBi5File(path, bytes);
  if (bytes === 0) throw new FileRefused(path, "the file is empty");
  try {
    const file = magic === "PAR1" ? openParquetFile(path, bytes) : openTextFile(path, bytes);
    if (file.kind === "bars" && /(^|[^a-z])ask([^a-z]|$)/i.test(basename(path))) {
      throw new Error("its name says that these are bars of the ask: bars are made of bid prices, so import those");
    }
    return file;
  } catch (error) {
    throw error instanceof FileRefused ? error : new FileRefused(path, (error as Error).message);
  }
}

function findSize(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined || !found.isFile()) throw new FileRefused(path, "there is no such file");
  return found.size;
}

function openTextFile(path: string, bytes: number): PriceFile {
  const sample = openBytes(path);
  const lines = readLines(sample.next);
  const text = new TextDecoder("latin1");
  const firstLines: string[] = [];
  while (firstLines.length < SAMPLE_LINES && lines.next()) {
    const from = firstLines.length === 0 && hasMark(lines.bytes) ? lines.start + UTF8_MARK.length : lines.start;
    firstLines.push(text.decode(lines.bytes.subarray(from, lines.end)));
  }
  if (firstLines.length === 0) throw new Error("the file has no rows");
  const name = sample.innerName() ?? basename(path);
  const layout = findTextLayout(firstLines, name);
  return {
    path,
    format: layout.format,
    kind: layout.kind,
    symbol: layout.at.symbol === -1 ? null : readSymbol(firstLines[layout.hasHeading ? 1 : 0] ?? "", layout),
    zone: layout.zone,
    hasFixedZone: false,
    bytes,
    open(zone) {
      const file = openBytes(path);
      const dayMs = layout.isOfDay ? (findDay(name) ?? findDay(basename(path))) : null;
      return { rows: openTextRows(readLines(file.next), { layout, zone, dayMs }), bytesRead: file.bytesRead };
    },
  };
}

function hasMark(bytes: Uint8Array): boolean {
  return UTF8_MARK.every((byte, at) => bytes[at] === byte);
}

function readSymbol(line: string, { at, delimiter }: TextLayout): string {
  return (line.split(String.fromCharCode(delimiter))[at.symbol] ?? "").trim().replace(/^"|"$/g, "");
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

const MINUTES: Readonly<Partial<Record<Timeframe, number>>> = { M1: 1, M5: 5, M15: 15, M30: 30, H1: 60 };

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
function findDay(name: string): number | null {
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
