import { findFields } from "@/lib/feeds/files/headings";
import { findTimeType, toPrice, toVolume } from "@/lib/feeds/files/parquet/cell-types";
import { ColumnReader } from "@/lib/feeds/files/parquet/column-reader";
import { openParquetRows, type ParquetColumns } from "@/lib/feeds/files/parquet/parquet-rows";
import { type Column, readTable, type Table } from "@/lib/feeds/files/parquet/read-table";
import type { PriceFile } from "@/lib/feeds/files/price-rows";

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
