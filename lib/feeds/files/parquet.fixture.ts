import { parquetWriteBuffer, type ParquetWriteOptions } from "hyparquet-writer";

type Columns = ParquetWriteOptions["columnData"];
type Options = Omit<ParquetWriteOptions, "writer" | "columnData">;

/** The bytes of a Parquet file. */
export function writeParquet(columnData: Columns, options: Options = {}): Uint8Array {
  return new Uint8Array(parquetWriteBuffer({ columnData, ...options }));
}

/** The columns of ticks, with prices in points of five digits. Times have the type that older writers use. */
export function toTickColumns(ticks: readonly (readonly [timeMs: number, bid: number, ask: number])[]): Columns {
  return [
    { name: "time", data: ticks.map(([timeMs]) => new Date(timeMs)), type: "TIMESTAMP" },
    { name: "bid", data: ticks.map(([, bid]) => bid / 1e5), type: "DOUBLE" },
    { name: "ask", data: ticks.map(([, , ask]) => ask / 1e5), type: "DOUBLE" },
  ];
}
