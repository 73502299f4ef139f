import { ByteWriter, type ColumnSource, ParquetWriter } from "hyparquet-writer";
import type { DataMode } from "@/lib/market/bar";
import { formatCsvRows, formatPlain } from "@/lib/text/csv";
import { formatBarTime } from "@/lib/time/iso-time";

/** Tables of history as files: Parquet and CSV, written some rows at a time. */

export const FORMATS = ["parquet", "csv"] as const;
export type Format = (typeof FORMATS)[number];

/**
 * What a column holds. `time`: UTC milliseconds, of whole seconds; `instant`: of any millisecond. `price`: the double whose
 * shortest decimal form is the price. `count`: a whole number up to 2^31. `text`: null where there is none.
 */
type ColumnType = "time" | "instant" | "price" | "count" | "text";

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  /** What it means, for the documentation. */
  readonly about: string;
  /** Whether a value may be missing: NaN, or null for a text. */
  readonly optional?: true;
}

type Values = Float64Array | Int32Array | readonly (string | null)[];

/** Some rows of a table, as one array for each of its columns. */
export interface Rows {
  readonly count: number;
  readonly columns: readonly Values[];
}

/** Collects rows. */
export class RowList {
  readonly #columns: readonly Column[];
  readonly #values: (number | string | null)[][];

  constructor(columns: readonly Column[]) {
    this.#columns = columns;
    this.#values = columns.map(() => []);
  }

  add(...row: readonly (number | string | null)[]): void {
    for (let at = 0; at < row.length; at++) this.#values[at]?.push(row[at] as number);
  }

  build(): Rows {
    const columns = this.#columns.map(({ type }, at) => {
      const values = this.#values[at] ?? [];
      if (type === "text") return values as string[];
      return type === "count" ? Int32Array.from(values as number[]) : Float64Array.from(values as number[]);
    });
    return { count: this.#values[0]?.length ?? 0, columns };
  }
}

/** Takes the bytes of a file in their order. */
type Sink = (bytes: Uint8Array) => Promise<void> | void;

export interface TableWriter {
  /** Writes rows: in Parquet as one row group. */
  write(rows: Rows): Promise<void>;
  /** Writes the end of the file. In Parquet it says what is only known then. */
  finish(about?: object): Promise<void>;
}

interface Options {
  readonly columns: readonly Column[];
  readonly sink: Sink;
  /** The symbol of all rows, which CSV has as its first column; null for a table of none. */
  readonly symbol: string | null;
  /** What Parquet says of the file. */
  readonly about: Readonly<Record<string, string>>;
  /** The mode of the row of a time, which CSV has as its last column; undefined where all rows are live, or have no symbol. */
  readonly readMode?: ((timeMs: number) => DataMode) | undefined;
  /** Whether the rows continue a CSV, which has a header line already. */
  readonly isContinued?: boolean;
}

/** Begins a file. The same rows, written in the same parts, always make the same bytes. */
export function openTable(format: Format, options: Options): TableWriter {
  return format === "csv" ? openCsv(options) : openParquet(options);
}

/** Older readers know a time by its converted type. */
const TIMESTAMP = {
  type: "INT64",
  converted_type: "TIMESTAMP_MILLIS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
} as const;

const ELEMENTS = {
  time: TIMESTAMP,
  instant: TIMESTAMP,
  price: { type: "DOUBLE" },
  count: { type: "INT32" },
  text: { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } },
} as const;

/** One row group has one page of each column. */
const ONE_GROUP = 2 ** 31;

function openParquet({ columns, sink, symbol, about }: Options): TableWriter {
  const writer = new ByteWriter();
  const flush = async () => {
    const bytes = writer.getBytes().slice();
    // Offsets in the file are those of all bytes that were written.
    writer.index = 0;
    await sink(bytes);
  };
  const kvMetadata: { key: string; value: string }[] = [];
  const note = (facts: object) => {
    for (const [key, value] of Object.entries(facts))
      kvMetadata.push({ key: `spotline.${key}`, value: typeof value === "string" ? value : JSON.stringify(value) });
  };
  note({ ...about, ...(symbol === null ? {} : { symbol }) });
  const parquet = new ParquetWriter({
    writer,
    // Snappy, because the codec is the writer's own: Node.js has zstd from version 22 on, and what its gzip writes
    // depends on its version.
    codec: "SNAPPY",
    schema: [
      { name: "schema", num_children: columns.length },
      ...columns.map(({ name, type, optional }) => ({
        name,
        ...ELEMENTS[type],
        repetition_type: optional ? ("OPTIONAL" as const) : ("REQUIRED" as const),
      })),
    ],
    kvMetadata,
    // Without a version, so that a release changes no file of a closed month.
    createdBy: "spotline",
  });
  return {
    async write({ count, columns: values }) {
      if (count === 0) return;
      const columnData = columns.map((column, at) => toColumnData(column, values[at] as Values));
      await parquet.write({ columnData, rowGroupSize: ONE_GROUP });
      await flush();
    },
    async finish(facts = {}) {
      note(facts);
      await parquet.finish();
      await flush();
    },
  };
}

function toColumnData({ name, type, optional }: Column, values: Values): ColumnSource {
  if (type === "time" || type === "instant") {
    const times = Array.from(values as Float64Array, (ms) => (Number.isNaN(ms) ? null : BigInt(ms)));
    const data = optional ? times : BigInt64Array.from(times as bigint[]);
    // Times mostly rise by a second or a minute: some bits each.
    return { name, data, ...(optional ? {} : { encoding: "DELTA_BINARY_PACKED" as const }) };
  }
  if (type === "text") return { name, data: [...(values as readonly (string | null)[])] };
  const numbers = values as Float64Array | Int32Array;
  return { name, data: optional ? Array.from(numbers, (each) => (Number.isNaN(each) ? null : each)) : numbers };
}

/** Rows that are formatted before the event loop continues. */
const ROWS_PER_TEXT = 4_096;

/** RFC 4180 with a header line: CRLF, a point before decimals, times in UTC like 2026-11-20T13:00:00Z. */
function openCsv({ columns, sink, symbol, readMode, isContinued = false }: Options): TableWriter {
  const names = [...columns.map(({ name }) => name), ...(readMode === undefined ? [] : ["mode"])];
  const timeColumn = columns.findIndex(({ type }) => type === "time" || type === "instant");
  let head = isContinued ? "" : formatCsvRows([symbol === null ? names : ["symbol", ...names]]);
  const hasText = columns.some(({ type }) => type === "text");
  const formatters = columns.map(createFormatter);
  const takeHead = () => {
    const text = head;
    head = "";
    return text;
  };
  return {
    async write({ count, columns: values }) {
      for (let from = 0; from < count; from += ROWS_PER_TEXT) {
        const length = Math.min(ROWS_PER_TEXT, count - from);
        const cells = Array.from({ length }, (_, at) => {
          const row = formatters.map((format, column) => format((values[column] as Values)[from + at] ?? null));
          if (readMode !== undefined) row.push(readMode((values[timeColumn] as Float64Array)[from + at] as number));
          return symbol === null ? row : [symbol, ...row];
        });
        const text = hasText ? formatCsvRows(cells) : cells.map((row) => `${row.join(",")}\r\n`).join("");
        await sink(Buffer.from(takeHead() + text));
      }
    },
    async finish() {
      if (head !== "") await sink(Buffer.from(takeHead()));
    },
  };
}

/** All times of a column have the same form, as readers expect. */
const FORMATTERS = {
  time: formatBarTime,
  instant: (ms: number) => new Date(ms).toISOString(),
  price: formatPlain,
  count: String,
} as const;

function createFormatter({ type }: Column): (value: string | number | null) => string {
  if (type === "text") return (value) => String(value ?? "");
  const format = FORMATTERS[type];
  return (value) => (typeof value !== "number" || Number.isNaN(value) ? "" : format(value));
}

/** The bytes of rows for a digest of them. */
export function toDigestInput({ count, columns }: Rows): Uint8Array {
  const parts = columns.map((values) =>
    ArrayBuffer.isView(values)
      ? Buffer.from(values.buffer, values.byteOffset, values.byteLength)
      : Buffer.from(JSON.stringify(values)),
  );
  return Buffer.concat([Buffer.from(`${count}\n`), ...parts]);
}
