import { type Cell, type ToNumber, toPrice, toVolume } from "@/lib/feeds/files/parquet/cell-types";
import { ColumnReader } from "@/lib/feeds/files/parquet/column-reader";
import type { Column } from "@/lib/feeds/files/parquet/read-table";
import { createRow, type PriceRows } from "@/lib/feeds/files/price-rows";

/** The columns that hold the values of ticks or bars. */
export interface ParquetColumns {
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
export function openParquetRows(path: string, { columns, kind, symbol, rows: count, toTime }: Options): PriceRows {
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
