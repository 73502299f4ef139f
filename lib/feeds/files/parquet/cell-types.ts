import { parseDecimal } from "hyparquet/src/convert.js";
import type { SchemaElement } from "hyparquet/src/types.js";
import type { Column } from "@/lib/feeds/files/parquet/read-table";
import { StampReader } from "@/lib/feeds/files/stamp-reader";
import { createLocalClock } from "@/lib/time/local-clock";
import { DAY_MS } from "@/lib/time/units";

/** How the values of a column become numbers. */

/** A value as Parquet stores it. */
export type Cell = bigint | number | Uint8Array;
/** NaN for a value that cannot be read. */
export type ToNumber = (cell: Cell) => number;

/** The Julian day of 1970-01-01, from which INT96 counts. */
const UNIX_JULIAN_DAY = 2_440_588;
/** Later than every time that is stored, and short of the last one that a Date has. */
const MAX_MS = 8e15;
const LOW_64 = (1n << 64n) - 1n;

const getLogicalType = ({ logical_type, converted_type }: SchemaElement) => logical_type?.type ?? converted_type;
const describeType = (element: SchemaElement) => getLogicalType(element) ?? element.type;

/** Converts prices. Throws an Error for a column of another type. */
export function toPrice({ name, element }: Column): ToNumber {
  const { type, scale = 0 } = element;
  if (getLogicalType(element) === "DECIMAL" || element.converted_type === "DECIMAL") {
    const divisor = 10 ** scale;
    return (cell) => (cell instanceof Uint8Array ? parseDecimal(cell) : Number(cell)) / divisor;
  }
  if (type === "DOUBLE" || type === "FLOAT") return Number;
  // Whole numbers may be points or billionths: a guess would store wrong prices.
  throw new Error(`its column "${name}" is ${describeType(element)}: expected prices as DOUBLE, FLOAT or DECIMAL`);
}

/** Converts volumes: whole numbers too. Throws an Error for a column of another type. */
export function toVolume(column: Column): ToNumber {
  return column.element.type === "INT32" || column.element.type === "INT64" ? Number : toPrice(column);
}

interface TimeType {
  /** Whether the values are UTC in any case. */
  readonly isUtc: boolean;
  /** Converts to UTC milliseconds; values without a zone are in `zone`. */
  create(zone: string): ToNumber;
}

/** How the times of a column are read. Throws an Error for a column without times. */
export function findTimeType({ name, element }: Column): TimeType {
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
