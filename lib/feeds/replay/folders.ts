import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { getScale, openDukascopyRows } from "@/lib/feeds/files/bi5-rows";
import { isSourceName } from "@/lib/feeds/files/file-names";
import { readLines, readPieces, type TextLines, unzipPieces } from "@/lib/feeds/files/open-bytes";
import type { RecordedFile, RecordedSeries, TickRows } from "@/lib/feeds/replay/recorded-series";
import { COMMA, POINT, ZERO } from "@/lib/text/csv";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { parseOffset, toDayMs } from "@/lib/time/iso-time";
import { DAY_MS, HOUR_MS } from "@/lib/time/units";

/** Lists every recorded series under a folder, in all known layouts, without opening a file. */
export function listSeries(dir: string): RecordedSeries[] {
  return [...listLeanSeries(dir), ...listDukascopySeries(dir), ...listCsvSeries(dir)];
}

/**
 * Lists text recordings: `<broker>/<symbol>/*.csv`, or zips of one csv each as HistData provides them. Files are sorted
 * by name, which is the order of time in vendors' names.
 */
function listCsvSeries(dir: string): RecordedSeries[] {
  const found: RecordedSeries[] = [];
  for (const source of listFolders(dir).filter(isSourceName)) {
    for (const brokerSymbol of listFolders(join(dir, source))) {
      const folder = join(dir, source, brokerSymbol);
      const files = listFiles(folder)
        .filter((name) => /\.(csv|zip)$/i.test(name))
        .map((name) => createCsvFile(join(folder, name)));
      if (files.length > 0) found.push({ source, brokerSymbol, files });
    }
  }
  return found;
}

function createCsvFile(path: string): RecordedFile {
  const pieces = () => (/\.zip$/i.test(path) ? unzipPieces(readFileSync(path)) : readPieces(path));
  return { path, endMs: () => Infinity, open: (zone) => openCsvRows(readLines(pieces()), zone) };
}

const PRICE = /^\d{1,12}(\.\d{1,12})?$/;
const text = new TextDecoder("latin1");

/**
 * Reads lines of `time,bid,ask`; further fields are ignored. The symbol may come first, as in TrueFX's own files, and
 * the first line may be a heading.
 */
function openCsvRows(lines: TextLines, zone: string | undefined): TickRows {
  let isFirst = true;

  function readRow(): boolean {
    const fields = text.decode(lines.bytes.subarray(lines.start, lines.end)).split(",", 5);
    if (/^[A-Z]/i.test(fields[0] ?? "") && fields.length > 3) fields.shift();
    const [stamp = "", bid = "", ask = ""] = fields;
    const timeMs = readStamp(stamp, zone);
    if (timeMs === null || !PRICE.test(bid) || !PRICE.test(ask)) return false;
    rows.timeMs = timeMs;
    rows.bid = Number(bid);
    rows.ask = Number(ask);
    return true;
  }

  const rows: TickRows = {
    timeMs: 0,
    bid: 0,
    ask: 0,
    malformed: 0,
    next() {
      while (lines.next()) {
        const isHeading = isFirst;
        isFirst = false;
        if (readRow()) return true;
        if (!isHeading) rows.malformed++;
      }
      return false;
    },
  };
  return rows;
}

/**
 * The formats of time in csv files of ticks. HistData's times are New York time, although its site says otherwise;
 * other formats without a zone are UTC.
 */
interface StampForm {
  /** Year, month, day, hour, minute, second, fraction of a second, offset. */
  readonly pattern: RegExp;
  readonly zone: string;
}

const forms: readonly StampForm[] = [
  { pattern: /^(\d{4})(\d\d)(\d\d) (\d\d)(\d\d)(\d\d)(\d{3})$/, zone: "America/New_York" },
  { pattern: /^(\d{4})(\d\d)(\d\d) (\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?$/, zone: "UTC" },
  {
    pattern: /^(\d{4})[-.](\d\d)[-.](\d\d)[T ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:?\d\d)?$/,
    zone: "UTC",
  },
];
const UNIX_MS = /^\d{13}$/;

/**
 * Reads a time as UTC milliseconds; null if it has no known format. An offset in the text wins over `zone`, and `zone`
 * over the format's own.
 */
function readStamp(text: string, zone: string | undefined): number | null {
  if (UNIX_MS.test(text)) return Number(text);
  for (const form of forms) {
    const match = form.pattern.exec(text);
    if (match === null) continue;
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(Number);
    const fractionMs = Math.floor(Number(`0.${match[7] ?? 0}`) * 1_000);
    const msOfDay = ((hour * 60 + minute) * 60 + second) * 1_000 + fractionMs;
    const dayMs = toDayMs(year, month, day);
    if (dayMs === null || minute > 59 || second > 59 || msOfDay >= DAY_MS) return null;
    const offset = match[8];
    if (offset !== undefined) return dayMs + msOfDay - parseOffset(offset);
    return zonedTimeToUtcMs(zone ?? form.zone, year, month, day, msOfDay);
  }
  return null;
}

const HOUR_FILE = /^([01]\d|2[0-3])h_ticks\.bi5$/;

/** Lists recordings in Dukascopy's layout, `<broker>/<SYMBOL>/<yyyy>/<mm>/<dd>/<hh>h_ticks.bi5`: UTC, months from 00. */
function listDukascopySeries(dir: string): RecordedSeries[] {
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

/** Reads the rows of one recorded day in order. Its fields are those of the current row. */
export interface LeanRows {
  /** Milliseconds since the recording zone's midnight, with recorded fractions. */
  ms: number;
  bid: number;
  ask: number;
  /** Rows so far that were not `ms,bid,ask`, without blank lines. */
  malformed: number;
  /** Moves to the next well-formed row; false at the end. Throws if the archive is damaged. */
  next(): boolean;
}

/** Opens a zip that holds one csv. */
export function openLeanRows(zip: Uint8Array): LeanRows {
  const lines = readLines(unzipPieces(zip));
  const fields = new Float64Array(3);
  const rows: LeanRows = {
    ms: 0,
    bid: 0,
    ask: 0,
    malformed: 0,
    next() {
      while (lines.next()) {
        if (parseRow(lines.bytes, lines.start, lines.end, fields)) {
          rows.ms = fields[0] as number;
          rows.bid = fields[1] as number;
          rows.ask = fields[2] as number;
          return true;
        }
        rows.malformed++;
      }
      return false;
    },
  };
  return rows;
}

/** Reads three plain decimals, the first within a day. Signs and exponents are malformed: recordings have none. */
function parseRow(text: Uint8Array, start: number, end: number, fields: Float64Array): boolean {
  let field = 0;
  let digits = 0;
  let value = 0;
  let scale = 0;
  for (let i = start; i <= end; i++) {
    const byte = i === end ? COMMA : (text[i] as number);
    const digit = byte - ZERO;
    if (digit >= 0 && digit <= 9) {
      value = value * 10 + digit;
      scale *= 10;
      // 15 digits are exact in a double; the division below is then rounded once, as parseFloat would.
      if (++digits > 15) return false;
    } else if (byte === POINT && scale === 0) {
      scale = 1;
    } else if (byte === COMMA && digits > 0 && field < 3) {
      fields[field++] = scale > 1 ? value / scale : value;
      digits = value = scale = 0;
    } else {
      return false;
    }
  }
  return field === 3 && (fields[0] as number) < DAY_MS;
}

/** Sorted names of the folders in a folder; none if it is not a folder or cannot be read. */
function listFolders(path: string): string[] {
  return readEntries(path)
    .filter((entry) => !entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

/** Sorted names of the files in a folder. */
function listFiles(path: string): string[] {
  return readEntries(path)
    .filter((entry) => !entry.isDirectory())
    .map((entry) => entry.name)
    .sort();
}

function readEntries(path: string) {
  try {
    return readdirSync(path, { withFileTypes: true });
  } catch {
    return [];
  }
}
