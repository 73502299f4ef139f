import { parseDecimal } from "hyparquet/src/convert.js";
import type { SchemaElement } from "hyparquet/src/types.js";
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
import { findFields } from "@/lib/feeds/files/text-rows";
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
  const symbol = columns.symbol === null ? null : readSymbol(path, columns.symbol);
  return {
    path,
    format: "parquet",
    kind,
    symbol,
    zone: "UTC",
    hasFixedZone: time.isUtc,
    bytes,
    open(zone) {
      const rows = openParquetRows(path, { columns, kind, symbol, rows: table.rows, toTime: time.create(zone) });
      return { rows, bytesRead: () => Math.round((rows.at / table.rows) * bytes) };
    },
  };
}

function findColumns({ columns }: Table): ParquetColumns {
  const names = columns.map(({ name }) => name);
  const { kind, at } = findFields(names, "it has no column", "its columns are");
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
    symbol: get(at.symbol)?.element.type === "BYTE_ARRAY" ? get(at.symbol) : null,
  };
}

/** The symbol of the first row. Throws an Error if the file tells that others have another one. */
function readSymbol(path: string, column: Column): string {
  const reader = new ColumnReader(path, column, () => 0);
  reader.next();
  const symbol = reader.describe();
  if (symbol === null) throw new Error(`its column "${column.name}" has no symbol in the first row`);
  for (const { statistics } of column.listChunks()) {
    const { min_value: least, max_value: most } = statistics ?? {};
    const other = [least, most].find((each) => typeof each === "string" && each !== symbol);
    if (typeof other === "string" && symbol.length < 16) {
      throw new Error(`its rows are of ${symbol}, ${other} and maybe others: expected one symbol in a file`);
    }
  }
  return symbol;
}

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
  /** The symbol of the first row, which all have; null if rows name none. */
  readonly symbol: string | null;
  readonly rows: number;
  readonly toTime: ToNumber;
}

const TICK = ["bid", "ask"] as const;
const BAR = ["open", "high", "low", "close"] as const;

/** Reads the rows of a Parquet file. */
function openParquetRows(path: string, { columns, kind, symbol, rows: count, toTime }: Options): PriceRows {
  const open = (column: Column | null, toNumber: ToNumber) =>
    column === null ? null : new ColumnReader(path, column, toNumber);
  const time = open(columns.time, toTime) as ColumnReader;
  const prices = columns.prices.map((column) => open(column, toPrice(column)) as ColumnReader);
  const volume = columns.volume === null ? null : open(columns.volume, toVolume(columns.volume));
  const symbols = symbol === null ? null : open(columns.symbol, toSymbolMatch(symbol));
  const fields = kind === "ticks" ? TICK : BAR;
  const expected = kind === "ticks" ? "a bid and an ask" : "open, high, low and close";

  const rows: PriceRows = {
    ...createRow(),
    next() {
      if (rows.at === count) return false;
      rows.at++;
      rows.fault = null;
      rows.timeMs = time.next();
      let sum = 0;
      for (let i = 0; i < fields.length; i++) {
        sum += rows[fields[i] as (typeof fields)[number]] = (prices[i] as ColumnReader).next();
      }
      if (volume !== null) rows.volume = Math.round(volume.next());
      const isOther = symbols !== null && Number.isNaN(symbols.next());
      if (Number.isNaN(rows.timeMs)) rows.fault = "a time like 2024-01-31 23:59:58.123";
      else if (Number.isNaN(sum)) rows.fault = expected;
      else if (Number.isNaN(rows.volume)) rows.fault = "a volume";
      else if (isOther) rows.fault = `the symbol of the first row, ${symbol ?? ""}`;
      return true;
    },
    describe() {
      const { timeMs } = rows;
      const cells = [
        Number.isNaN(timeMs) ? time.describe() : new Date(timeMs).toISOString(),
        ...[...prices, volume].flatMap((reader) => (reader === null ? [] : [reader.describe()])),
        symbols?.describe(),
      ];
      return cells.flatMap((cell) => (cell === undefined ? [] : [cell ?? "null"])).join(",");
    },
  };
  return rows;
}

/** Converts a symbol to 0 if it is the expected one, else to NaN. */
function toSymbolMatch(symbol: string): ToNumber {
  const expected = new TextEncoder().encode(symbol);
  return (cell: Cell) => {
    const text = cell as Uint8Array;
    return text.length === expected.length && expected.every((byte, at) => text[at] === byte) ? 0 : NaN;
  };
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

/** Unix time in seconds, milli-, micro- or nanoseconds, told apart by its digits as in csv files. */
function fromUnixTime(cell: Cell): number {
  const digits = String(cell).length;
  if (digits === 10) return Number(cell) * 1_000;
  if (digits === 13) return UNITS.MILLIS(cell);
  if (digits === 16) return UNITS.MICROS(cell);
  return digits === 19 ? UNITS.NANOS(cell) : NaN;
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
