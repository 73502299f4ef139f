import { basename } from "node:path";
import { parseDecimal } from "hyparquet/src/convert.js";
import type { SchemaElement } from "hyparquet/src/types.js";
import * as z from "zod";
import { describeColumns, type FileColumn, findFields, findSourceColumns } from "@/lib/feeds/files/column-names";
import { setLocalTime, tellHoursApart } from "@/lib/feeds/files/doubled-hours";
import {
  type Cell,
  type Column,
  ColumnReader,
  readTable,
  type Table,
  type ToNumber,
} from "@/lib/feeds/files/parquet-columns";
import { createRow, type PriceFile, type PriceRows, requireFewSymbols } from "@/lib/feeds/files/price-rows";
import { FIRST_UNIX_MS, StampReader } from "@/lib/feeds/files/stamp-reader";
import { DATA_MODES, type DataMode } from "@/lib/market/bar";
import { widenFloat } from "@/lib/market/price";
import { createFileClock } from "@/lib/time/local-clock";
import { findStatedZone, joinStatedZones, splitStatedZone, UNCLEAR } from "@/lib/time/stated-zone";
import { DAY_MS } from "@/lib/time/units";

/**
 * A Parquet file of ticks or bars. Throws an Error that says what was expected.
 *
 * @param given the meaning of each column in the order of the schema, such as "time,bid,ask,-"
 */
export function openParquetFile(path: string, bytes: number, given?: string): PriceFile {
  const table = readTable(path, bytes);
  if (table.rows === 0) throw new Error("the file has no rows");
  const columns = findColumns(table, given);
  const kind = columns.prices.length === 2 ? "ticks" : "bars";
  const time = findTimeType(columns.time);
  // Every column is tried here, so that one of another shape refuses the file before anything is stored.
  for (const column of columns.prices) toPrice(column);
  if (columns.volume !== null) toVolume(columns.volume);
  for (const column of [columns.time, ...columns.prices, columns.volume]) column?.listChunks();
  const symbols = columns.symbol === null ? [] : listSymbols(path, columns.symbol, table.rows);
  const streams = findStreams(path, table, columns, symbols);
  const runs = readModes(table);
  const stated = joinStatedZones([splitStatedZone(columns.time.name).zone, findStatedZone(basename(path))]);
  const zone = stated === UNCLEAR ? null : (stated ?? "UTC");
  const toFile = (symbol: string | null, stream: Stream | null = null): PriceFile => ({
    ...(stream === null || stream.source === null ? {} : { source: stream.source }),
    path,
    format: "parquet",
    kind,
    symbol,
    modes: runs.length === 0 ? undefined : [...new Set(runs.map(({ mode }) => mode))],
    ...{ columns: columns.all, notes: columns.notes },
    zone: time.isUtc ? "UTC" : zone,
    hasFixedZone: time.isUtc,
    bytes,
    open(zone) {
      const { rows, countRead } = openParquetRows(path, {
        ...{ columns, kind, rows: table.rows, time, zone, runs },
        key:
          stream ??
          (columns.symbol === null ? null : { column: columns.symbol, isOwn: (cell) => toText(cell) === symbol }),
        hasOthers: stream !== null || symbols.length > 1,
        takesUnnamed: stream === null ? symbol === (symbols[0] ?? null) : stream.isFirst,
      });
      return { rows, bytesRead: () => Math.round((countRead() / table.rows) * bytes) };
    },
  });
  const [named = null] = symbols;
  const files = streams.length > 0 ? streams.map((each) => toFile(named, each)) : symbols.map((each) => toFile(each));
  const [first = toFile(null)] = files;
  return files.length > 1 ? { ...first, series: files } : first;
}

/** From which row on the rows have a mode: UTC milliseconds. */
interface ModeRun {
  readonly fromMs: number;
  readonly mode: DataMode;
}

/** What a file of an export says of its rows, oldest first; none for other files. Throws an Error if that cannot be read. */
function readModes({ about }: Table): readonly ModeRun[] {
  const whole = about.get("spotline.mode");
  if (whole === undefined) return [];
  const runs = about.get("spotline.modes") ?? JSON.stringify([{ from: 0, mode: whole }]);
  try {
    const found = z.array(z.object({ from: z.coerce.date(), mode: z.enum(DATA_MODES) })).parse(JSON.parse(runs));
    return found.map(({ from, mode }) => ({ fromMs: from.getTime(), mode }));
  } catch (error) {
    throw new Error("its metadata does not tell which of its rows are live", { cause: error });
  }
}

function findColumns(table: Table, given: string | undefined): ParquetColumns {
  const meaning = findMeaning(table, given);
  const { kind, at, notes } = meaning;
  const get = (index: number) => {
    const column = table.columns[index] ?? null;
    if (column?.isNested === true) throw new Error(`its column "${column.name}" holds lists or groups: none are read`);
    return column;
  };
  const time = get(at.time);
  const date = get(at.date);
  if (time?.element.type === "BYTE_ARRAY" && date !== null) {
    throw new Error(`its times are in the columns "${date.name}" and "${time.name}": expected them in one column`);
  }
  const prices = kind === "ticks" ? [at.bid, at.ask] : [at.open, at.high, at.low, at.close];
  return {
    time: (time ?? date) as Column,
    prices: prices.map((index) => get(index) as Column),
    volume: kind === "bars" ? get(at.volume) : null,
    symbol: get(at.symbol),
    all: describeColumns(
      meaning,
      table.columns.map(({ name }) => name),
    ),
    notes,
  };
}

function findMeaning({ columns }: Table, given: string | undefined) {
  const list = (some: readonly Column[]) => some.map(({ name }) => `"${name}"`).join(", ");
  if (given !== undefined) {
    const names = given.split(",").map((name) => name.trim());
    if (names.length !== columns.length) {
      const shown = list(columns).slice(0, 200);
      throw new Error(`--columns names ${names.length} columns, and the file has ${columns.length}: ${shown}`);
    }
    return findFields(names, "--columns lacks", "it has");
  }
  const nested = columns.filter(({ isNested }) => isNested);
  const flat = columns.flatMap(({ name, isNested }) => (isNested ? [] : [name]));
  try {
    const names = columns.map(({ name, isNested }) => (isNested ? "" : name));
    return findFields(names, "it has no column", "its columns are", flat);
  } catch (error) {
    const { message } = error as Error;
    const left = nested.length === 0 ? "" : `; lists and groups are not read: ${list(nested).slice(0, 120)}`;
    const hint = message.includes("--columns") ? "" : "; name them with --columns, in their order";
    throw new Error(`${message}${left}${hint}`, { cause: error });
  }
}

/** Statistics may have only the beginning of a longer text. */
const MAX_WHOLE_STATISTIC = 16;

/** The symbols of the rows, in the order of their first rows. Throws an Error if the column has none, or is no text. */
function listSymbols(path: string, column: Column, rows: number): readonly string[] {
  if (column.element.type !== "BYTE_ARRAY") {
    throw new Error(`its column "${column.name}" is ${describeType(column.element)}: expected symbols as text`);
  }
  const only = findOnlySymbol(column);
  if (only !== null) return [only];
  const numbers = new Map<string, number>();
  const found = new Set<number>();
  const reader = new ColumnReader(path, column, (cell) => {
    const symbol = toText(cell);
    const number = numbers.get(symbol) ?? numbers.size;
    numbers.set(symbol, number);
    return number;
  });
  for (let row = 0; row < rows; row++) {
    const number = reader.next();
    if (!Number.isNaN(number)) found.add(number);
    requireFewSymbols(found.size);
  }
  if (found.size === 0) throw new Error(`its column "${column.name}" has no symbol in any row`);
  const texts = [...numbers.keys()];
  return [...found].map((number) => texts[number] as string);
}

/** The symbol of all rows, if the statistics of the file tell it. */
function findOnlySymbol(column: Column): string | null {
  const symbols = new Set<unknown>();
  for (const { statistics } of column.listChunks()) {
    const { min_value: least, max_value: most, null_count: nulls } = statistics ?? {};
    if (Number(nulls ?? 1) !== 0) return null;
    symbols.add(least).add(most);
  }
  const [only] = symbols;
  return symbols.size === 1 && typeof only === "string" && only.length < MAX_WHOLE_STATISTIC ? only : null;
}

const symbolText = new TextDecoder();
const toText = (cell: Cell) => symbolText.decode(cell as Uint8Array).trim();

/** The columns that hold the values of ticks or bars. */
interface ParquetColumns {
  readonly time: Column;
  /** Bid and ask, or open, high, low and close. */
  readonly prices: readonly Column[];
  readonly volume: Column | null;
  readonly symbol: Column | null;
  readonly all: readonly FileColumn[];
  readonly notes: readonly string[];
}

interface Key {
  readonly column: Column;
  readonly isOwn: (cell: Cell) => boolean;
}

/** The rows of one source among several; of the served ones, whichever they are, for null. */
interface Stream extends Key {
  readonly source: string | null;
  readonly isFirst: boolean;
}

/** As of a text: the sources of a file of several, or what was served of them. */
function findStreams(
  path: string,
  table: Table,
  { time, prices, volume, symbol }: ParquetColumns,
  symbols: readonly string[],
) {
  const used = [time, ...prices, volume, symbol];
  const names = table.columns.map(({ name }) => name);
  const at = findSourceColumns(names, (index) => used.includes(table.columns[index] ?? null));
  const [source, served] = [table.columns[at.source], table.columns[at.served]];
  if (source?.element.type !== "BYTE_ARRAY") return [];
  const sources = listSymbols(path, source, table.rows);
  if (sources.length < 2) return [];
  if (symbols.length > 1)
    throw new Error(
      `its rows are of several sources (column "${source.name}") and of several symbols: split it into a file for each symbol`,
    );
  const isServed: Stream["isOwn"] = (cell) => Number(cell) === 1;
  if (served !== undefined && served.element.type !== "BYTE_ARRAY")
    return [{ column: served, isOwn: isServed, source: null, isFirst: true }];
  return sources.map((name, i): Stream => ({
    column: source,
    isOwn: (cell) => toText(cell) === name,
    source: name,
    isFirst: i === 0,
  }));
}

interface Options {
  readonly columns: ParquetColumns;
  readonly kind: "ticks" | "bars";
  /** The rows that are read, by the symbol or the source that they name; null if they name none. */
  readonly key: Key | null;
  /** Whether other rows are skipped. */
  readonly hasOthers: boolean;
  /** Whether the rows that lack a symbol are reported here. */
  readonly takesUnnamed: boolean;
  readonly rows: number;
  readonly runs: readonly ModeRun[];
  readonly time: TimeType;
  /** The zone of times without one. */
  readonly zone: string;
}

const TICK = ["bid", "ask"] as const;
const BAR = ["open", "high", "low", "close"] as const;

/** Reads the rows of a Parquet file. `countRead` tells how many of them were passed. */
function openParquetRows(path: string, options: Options): { rows: PriceRows; countRead(): number } {
  const { columns, kind, key, rows: count, runs, zone, hasOthers, takesUnnamed } = options;
  const { isUtc, toNumber } = options.time;
  const clock = createFileClock(zone);
  const time = new ColumnReader(path, columns.time, toNumber);
  const prices = columns.prices.map((column) => new ColumnReader(path, column, toPrice(column)));
  const volume = columns.volume === null ? null : new ColumnReader(path, columns.volume, toVolume(columns.volume));
  const symbols = key === null ? null : new ColumnReader(path, key.column, (cell) => (key.isOwn(cell) ? 1 : 0));
  const readers = [time, ...prices, ...(volume === null ? [] : [volume])];
  const fields = kind === "ticks" ? TICK : BAR;
  const expected = kind === "ticks" ? "a bid and an ask" : "open, high, low and close";

  let read = 0;

  /** Moves all columns to the next row of the symbol, or to one without a symbol; false at the end. */
  function move(): boolean {
    while (read < count) {
      rows.at = ++read;
      const isOwn = symbols === null ? 1 : symbols.next();
      if (isOwn === 1 || (Number.isNaN(isOwn) && takesUnnamed)) {
        rows.fault = Number.isNaN(isOwn) ? "a symbol" : null;
        return true;
      }
      for (const reader of readers) reader.skip();
    }
    return false;
  }

  function readTime(): void {
    const ms = time.next();
    // A missing time, NaN, is no whole number either.
    if (!isUtc && ms % 1 === 0) return setLocalTime(rows, ms, clock);
    rows.timeMs = Math.floor(ms);
    rows.doubledMs = 0;
    rows.doubt = null;
  }

  const rows: PriceRows = {
    ...createRow(),
    next() {
      if (!move()) return false;
      readTime();
      rows.mode = runs.findLast(({ fromMs }) => fromMs <= rows.timeMs)?.mode;
      let sum = 0;
      for (let i = 0; i < fields.length; i++) {
        sum += rows[fields[i] as (typeof fields)[number]] = (prices[i] as ColumnReader).next();
      }
      // A volume is optional: writers have null or NaN where there is none.
      if (volume !== null) rows.volume = Math.round(volume.next()) || 0;
      if (Number.isNaN(rows.timeMs)) rows.fault ??= "a time like 2024-01-31 23:59:58.123";
      else if (Number.isNaN(sum)) rows.fault ??= expected;
      return true;
    },
    describe() {
      const { timeMs } = rows;
      const cells = [
        Number.isNaN(timeMs) ? time.describe() : new Date(timeMs).toISOString(),
        ...[...prices, ...(volume === null ? [] : [volume])].map((reader) => reader.describe()),
        ...(symbols === null || (!hasOthers && rows.fault === null) ? [] : [symbols.describe()]),
      ];
      return cells.map((cell) => cell ?? "null").join(",");
    },
  };
  return { rows: isUtc ? rows : tellHoursApart(rows, zone), countRead: () => read };
}

/** The Julian day of 1970-01-01, from which INT96 counts. */
const UNIX_JULIAN_DAY = 2_440_588;
/** Later than every time that is stored, and short of the last one that a Date has. */
const MAX_MS = 8e15;
const LOW_64 = (1n << 64n) - 1n;

const getLogicalType = ({ logical_type, converted_type }: SchemaElement) => logical_type?.type ?? converted_type;
const describeType = (element: SchemaElement) => getLogicalType(element) ?? element.type;

/** Converts prices. Throws an Error for a column of another type. */
function toPrice({ name, element }: Column): ToNumber {
  const { type, scale = 0 } = element;
  if (getLogicalType(element) === "DECIMAL" || element.converted_type === "DECIMAL") {
    const divisor = 10 ** scale;
    return (cell) => (cell instanceof Uint8Array ? parseDecimal(cell) : Number(cell)) / divisor;
  }
  if (type === "FLOAT") return (cell) => widenFloat(Number(cell));
  if (type === "DOUBLE") return Number;
  // Whole numbers may be points or billionths: a guess would store wrong prices.
  throw new Error(`its column "${name}" is ${describeType(element)}: expected prices as DOUBLE, FLOAT or DECIMAL`);
}

/** Converts volumes: whole numbers too. Throws an Error for a column of another type. */
function toVolume(column: Column): ToNumber {
  return column.element.type === "INT32" || column.element.type === "INT64" ? Number : toPrice(column);
}

interface TimeType {
  /** Whether the values are UTC in any case. */
  readonly isUtc: boolean;
  /**
   * Converts to UTC milliseconds, or to those at which a UTC clock shows a time without an offset. Of a column that has
   * both, those of UTC are marked by `IS_UTC`, which is added to them.
   */
  readonly toNumber: ToNumber;
}

/** Half a millisecond: times are read in whole ones. */
const IS_UTC = 0.5;

/** How the times of a column are read. Throws an Error for a column without times. */
function findTimeType({ name, element }: Column): TimeType {
  const { type, logical_type: logical, converted_type: converted } = element;
  const toType = (toMs: ToNumber, isUtc = false): TimeType => {
    const toNumber = (cell: Cell) => {
      const ms = toMs(cell);
      return Math.abs(ms) < MAX_MS ? ms : NaN;
    };
    return { isUtc, toNumber };
  };
  if (type === "INT64" && logical?.type === "TIMESTAMP") return toType(UNITS[logical.unit], logical.isAdjustedToUTC);
  // Before Parquet had logical types, writers stored local times in the same way.
  if (type === "INT64" && converted === "TIMESTAMP_MILLIS") return toType(UNITS.MILLIS);
  if (type === "INT64" && converted === "TIMESTAMP_MICROS") return toType(UNITS.MICROS);
  if (type === "INT96") return toType(fromInt96);
  if (type === "DOUBLE") return { isUtc: true, toNumber: (cell) => requireRecent(fromUnixFraction(cell)) };
  const isPlain = logical === undefined || logical.type === "INTEGER" || logical.type === "STRING";
  if ((type === "INT64" || type === "INT32") && isPlain && !/^(DATE|TIME|DECIMAL)/.test(converted ?? "")) {
    return { isUtc: true, toNumber: (cell) => requireRecent(fromUnixTime(cell)) };
  }
  if (type === "BYTE_ARRAY" && isPlain) return { isUtc: false, toNumber: createTextReader() };
  const expected = "expected times as TIMESTAMP, INT96, text, or Unix time in whole numbers";
  throw new Error(`its column "${name}" is ${describeType(element)}: ${expected}`);
}

const requireRecent = (ms: number) => (ms >= FIRST_UNIX_MS ? ms : NaN);

const UNITS = {
  MILLIS: Number,
  MICROS: (cell: Cell) => Math.floor(Number(cell) / 1_000),
  // Nanoseconds have more digits than a double holds.
  NANOS: (cell: Cell) => Number((cell as bigint) / 1_000_000n),
} as const;

/** Nanoseconds of the day in the low 64 bits, the Julian day above. */
function fromInt96(cell: Cell): number {
  const value = cell as bigint;
  return (Number(value >> 64n) - UNIX_JULIAN_DAY) * DAY_MS + Number((value & LOW_64) / 1_000_000n);
}

/** Below these are Unix times in seconds, milli- and microseconds: of 1971 to 2603. Above are nanoseconds. */
const MOST_SECONDS = 2e10;
const MOST_MILLIS = 2e13;
const MOST_MICROS = 2e16;
/** Dates and times such as 202401312359 look like milliseconds of 1976. */
const isDateAndTime = (value: number) => value >= 197_001_010_000 && value <= 209_912_312_359;

/** Unix time in seconds, milli-, micro- or nanoseconds, distinguished by its size. */
function fromUnixTime(cell: Cell): number {
  const value = Number(cell);
  if (isDateAndTime(value)) return NaN;
  if (value < MOST_SECONDS) return value * 1_000;
  if (value < MOST_MILLIS) return value;
  return value < MOST_MICROS ? UNITS.MICROS(cell) : UNITS.NANOS(BigInt(cell as bigint | number));
}

/** The same as a DOUBLE, which pandas makes of whole numbers if one is missing. Rounded to microseconds, which it holds. */
function fromUnixFraction(cell: Cell): number {
  const value = Number(cell);
  if (Number.isNaN(value) || isDateAndTime(value)) return NaN;
  const micros = value < MOST_SECONDS ? 1e6 : value < MOST_MILLIS ? 1e3 : value < MOST_MICROS ? 1 : 1e-3;
  return Math.floor(Math.round(value * micros) / 1_000);
}

function createTextReader(): ToNumber {
  const stamp = new StampReader();
  return (cell) => {
    const text = cell as Uint8Array;
    if (!stamp.read(text, 0, text.length, 0, 0)) return NaN;
    return stamp.isUtc ? stamp.ms + IS_UTC : stamp.ms;
  };
}
