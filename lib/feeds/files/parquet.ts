import { parseDecimal } from "hyparquet/src/convert.js";
import type { SchemaElement } from "hyparquet/src/types.js";
import { findFields } from "@/lib/feeds/files/column-names";
import {
  type Cell,
  type Column,
  ColumnReader,
  readTable,
  type Table,
  type ToNumber,
} from "@/lib/feeds/files/parquet-columns";
import { createRow, type PriceFile, type PriceRows } from "@/lib/feeds/files/price-rows";
import { StampReader } from "@/lib/feeds/files/stamp-reader";
import { createLocalClock } from "@/lib/time/local-clock";
import { DAY_MS } from "@/lib/time/units";

/** A Parquet file of ticks or bars. Throws an Error that says what was expected. */
export function openParquetFile(path: string, bytes: number): PriceFile {
  const table = readTable(path, bytes);
  if (table.rows === 0) throw new Error("the file has no rows");
  const columns = findColumns(table);
  const kind = columns.prices.length === 2 ? "ticks" : "bars";
  const time = findTimeType(columns.time);
  // Every column is tried here, so that one of another shape refuses the file before anything is stored.
  for (const column of columns.prices) toPrice(column);
  if (columns.volume !== null) toVolume(columns.volume);
  for (const column of [columns.time, ...columns.prices, columns.volume]) column?.listChunks();
  const symbols = columns.symbol === null ? [] : listSymbols(path, columns.symbol, table.rows);
  const toFile = (symbol: string | null): PriceFile => ({
    path,
    format: "parquet",
    kind,
    symbol,
    zone: "UTC",
    hasFixedZone: time.isUtc,
    bytes,
    open(zone) {
      const rows = openParquetRows(path, {
        ...{ columns, kind, symbol, rows: table.rows, toTime: time.create(zone) },
        hasOthers: symbols.length > 1,
        takesUnnamed: symbol === (symbols[0] ?? null),
      });
      return { rows, bytesRead: () => Math.round((rows.at / table.rows) * bytes) };
    },
  });
  const files = symbols.map(toFile);
  const [first = toFile(null)] = files;
  return files.length > 1 ? { ...first, series: files } : first;
}

function findColumns({ columns, nested }: Table): ParquetColumns {
  const names = columns.map(({ name }) => name);
  const { kind, at } = findNamedColumns(names, nested);
  const get = (index: number) => columns[index] ?? null;
  const time = get(at.time);
  const date = get(at.date);
  if (time?.element.type === "BYTE_ARRAY" && date !== null) {
    throw new Error(`its times are in the columns "${date.name}" and "${time.name}": expected them in one column`);
  }
  const prices = kind === "ticks" ? [at.bid, at.ask] : [at.open, at.high, at.low, at.close];
  return {
    time: (time ?? date) as Column,
    prices: prices.map((index) => columns[index] as Column),
    volume: kind === "bars" ? get(at.volume) : null,
    symbol: get(at.symbol),
  };
}

function findNamedColumns(names: readonly string[], nested: readonly string[]) {
  try {
    return findFields(names, "it has no column", "its columns are");
  } catch (error) {
    if (nested.length === 0) throw error;
    const lists = nested.map((name) => `"${name}"`).join(", ");
    throw new Error(`${(error as Error).message}; lists and groups are not read: ${lists.slice(0, 120)}`, {
      cause: error,
    });
  }
}

/** More would take a pass over the file each. */
const MAX_SYMBOLS = 1_000;
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
    if (found.size > MAX_SYMBOLS) throw new Error(`its rows are of more than ${MAX_SYMBOLS} symbols: split the file`);
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
}

interface Options {
  readonly columns: ParquetColumns;
  readonly kind: "ticks" | "bars";
  /** The symbol whose rows are read; null if rows name none. */
  readonly symbol: string | null;
  /** Whether rows of other symbols are skipped. */
  readonly hasOthers: boolean;
  /** Whether the rows that lack a symbol are reported here. */
  readonly takesUnnamed: boolean;
  readonly rows: number;
  readonly toTime: ToNumber;
}

const TICK = ["bid", "ask"] as const;
const BAR = ["open", "high", "low", "close"] as const;

/** Reads the rows of a Parquet file. */
function openParquetRows(path: string, options: Options): PriceRows {
  const { columns, kind, symbol, rows: count, toTime, hasOthers, takesUnnamed } = options;
  const time = new ColumnReader(path, columns.time, toTime);
  const prices = columns.prices.map((column) => new ColumnReader(path, column, toPrice(column)));
  const volume = columns.volume === null ? null : new ColumnReader(path, columns.volume, toVolume(columns.volume));
  const symbols =
    columns.symbol === null
      ? null
      : new ColumnReader(path, columns.symbol, (cell) => (toText(cell) === symbol ? 1 : 0));
  const readers = [time, ...prices, ...(volume === null ? [] : [volume])];
  const fields = kind === "ticks" ? TICK : BAR;
  const expected = kind === "ticks" ? "a bid and an ask" : "open, high, low and close";

  /** Moves all columns to the next row of the symbol, or to one without a symbol; false at the end. */
  function move(): boolean {
    while (rows.at < count) {
      rows.at++;
      const isOwn = symbols === null ? 1 : symbols.next();
      if (isOwn === 1 || (Number.isNaN(isOwn) && takesUnnamed)) {
        rows.fault = Number.isNaN(isOwn) ? "a symbol" : null;
        return true;
      }
      for (const reader of readers) reader.skip();
    }
    return false;
  }

  const rows: PriceRows = {
    ...createRow(),
    next() {
      if (!move()) return false;
      rows.timeMs = time.next();
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
  return rows;
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

/** The most decimal digits that tell two numbers of 32 bits apart. */
const MOST_FLOAT_DIGITS = 9;

/** The number with the fewest decimal digits that 32 bits hold as this one: 1.1, not 1.10000002384. */
function widenFloat(value: number): number {
  for (let digits = 1; digits < MOST_FLOAT_DIGITS; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(MOST_FLOAT_DIGITS));
}

/** Converts volumes: whole numbers too. Throws an Error for a column of another type. */
function toVolume(column: Column): ToNumber {
  return column.element.type === "INT32" || column.element.type === "INT64" ? Number : toPrice(column);
}

interface TimeType {
  /** Whether the values are UTC in any case. */
  readonly isUtc: boolean;
  /** Converts to UTC milliseconds; values without a zone are in `zone`. */
  create(zone: string): ToNumber;
}

/** How the times of a column are read. Throws an Error for a column without times. */
function findTimeType({ name, element }: Column): TimeType {
  const { type, logical_type: logical, converted_type: converted } = element;
  const inZone = (toMs: ToNumber) => (zone: string) => {
    const toUtc = createLocalClock(zone);
    return (cell: Cell) => {
      const ms = toMs(cell);
      return Math.abs(ms) < MAX_MS ? toUtc(ms) : NaN;
    };
  };
  if (type === "INT64" && logical?.type === "TIMESTAMP") {
    const toMs = UNITS[logical.unit];
    const { isAdjustedToUTC: isUtc } = logical;
    return { isUtc, create: isUtc ? () => inZone(toMs)("UTC") : inZone(toMs) };
  }
  // Before Parquet had logical types, writers stored local times in the same way.
  if (type === "INT64" && converted === "TIMESTAMP_MILLIS") return { isUtc: false, create: inZone(UNITS.MILLIS) };
  if (type === "INT64" && converted === "TIMESTAMP_MICROS") return { isUtc: false, create: inZone(UNITS.MICROS) };
  if (type === "INT96") return { isUtc: false, create: inZone(fromInt96) };
  if (type === "DOUBLE") return { isUtc: true, create: () => fromUnixFraction };
  const isPlain = logical === undefined || logical.type === "INTEGER" || logical.type === "STRING";
  if ((type === "INT64" || type === "INT32") && isPlain && !/^(DATE|TIME|DECIMAL)/.test(converted ?? "")) {
    return { isUtc: true, create: () => fromUnixTime };
  }
  if (type === "BYTE_ARRAY" && isPlain) return { isUtc: false, create: fromText };
  const expected = "expected times as TIMESTAMP, INT96, text, or Unix time in whole numbers";
  throw new Error(`its column "${name}" is ${describeType(element)}: ${expected}`);
}

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

/** Unix time in seconds, milli-, micro- or nanoseconds, told apart by its size. */
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

function fromText(zone: string): ToNumber {
  const stamp = new StampReader();
  const toUtc = createLocalClock(zone);
  return (cell) => {
    const text = cell as Uint8Array;
    if (!stamp.read(text, 0, text.length, 0, 0)) return NaN;
    return stamp.isUtc ? stamp.ms : toUtc(stamp.ms);
  };
}
