import type { FileColumn } from "@/lib/feeds/files/column-names";
import type { DataMode } from "@/lib/market/bar";
import type { StoredTimeframe } from "@/lib/market/timeframe";
import { toNameText } from "@/lib/text/text";

/** The formats of files that can be imported, as reports name them. */
export type FileFormat =
  | "histdata"
  | "truefx"
  | "dukascopy"
  | "lean"
  | "metatrader 5"
  | "metatrader 4"
  | "csv"
  | "dukascopy csv"
  | "parquet";

/** Reads a file's rows in order. Its fields are those of the current row. */
export interface PriceRows {
  /** UTC milliseconds. */
  timeMs: number;
  /** The time as the file's clock shows it, in the milliseconds at which a UTC clock does. */
  localMs: number;
  /** How much later the second hour of two with the same local times is, if the time is of these; 0 for other times. */
  doubledMs: number;
  /** Why the time does not tell a moment; null if it does. */
  doubt: "ambiguous_time" | "no_such_time" | null;
  /** The prices of a tick. */
  bid: number;
  ask: number;
  /** The prices of a bar, which are bids. */
  open: number;
  high: number;
  low: number;
  close: number;
  /** NaN or negative where the file has none. */
  volume: number;
  /** The line of a text file, or the number of the record: counted from 1. */
  at: number;
  /** Whether its prices are live, of a file that tells it; undefined for others. */
  mode: DataMode | undefined;
  /** What was expected in place of this row; null if the row can be read. */
  fault: string | null;
  /** Moves to the next row; false at the end. Throws if the file is damaged. */
  next(): boolean;
  /** The current row as text, for reports. */
  describe(): string;
}

/** A file whose format was recognised by its content. */
export interface PriceFile {
  readonly path: string;
  readonly format: FileFormat;
  readonly kind: "ticks" | "bars";
  /** The symbol as the file's rows spell it; null if they name none. */
  readonly symbol: string | null;
  /** The source as the file's rows spell it, of a file with several that is split by it; undefined for others. */
  readonly source?: string;
  /** The modes of its rows, of a file that tells them; undefined for others. */
  readonly modes?: readonly DataMode[] | undefined;
  /** The name of the text inside of an archive; null for other files. */
  readonly innerName?: string | null;
  /** The zone of its times; null if that is the broker's and the file does not tell it. */
  readonly zone: string | null;
  /** Whether all its times have an offset or are UTC by their format. */
  readonly hasFixedZone: boolean;
  /** The size of the file, in bytes. */
  readonly bytes: number;
  /** The same file for each of its symbols, if its rows have several; each has only the rows of its own. */
  readonly series?: readonly PriceFile[];
  /**
   * Opens it from the beginning, with times in `zone`.
   * @param isClock whether times with an offset too are what the clock of the zone shows
   */
  open(zone: string, isClock?: boolean): OpenPriceFile;
  /** Its columns in their order; undefined for a format without columns. */
  readonly columns?: readonly FileColumn[];
  /** What was assumed of a Parquet file. */
  readonly notes?: readonly string[];
  /** What a text tells and what was assumed of it; undefined for formats that leave nothing open. */
  readonly text?: TextFacts;
}

/** How a text is written, for reports. */
export interface TextFacts {
  /** Its name in its archive; null for a plain file. */
  readonly member: string | null;
  readonly encoding: string;
  readonly delimiter: string;
  readonly decimal: string;
  readonly zoneReason: string;
  /** Why the stamps of its bars may be their ends; null if nothing says so. */
  readonly endsReason: string | null;
  readonly hasOffsets: boolean;
  /** The clock that these offsets are of, such as "UTC+3"; null if they differ, or if there are none. */
  readonly offset: string | null;
  readonly notes: readonly string[];
}

export interface OpenPriceFile {
  readonly rows: PriceRows;
  /** Bytes of the file that were read so far. */
  bytesRead(): number;
}

export function createRow(): Omit<PriceRows, "next" | "describe"> {
  const time = { timeMs: 0, localMs: NaN, doubledMs: 0, doubt: null };
  return {
    ...time,
    bid: 0,
    ask: 0,
    open: 0,
    high: 0,
    low: 0,
    close: 0,
    volume: 0,
    at: 0,
    mode: undefined,
    fault: null,
  };
}

/** The same file for each mode of its rows; those that cannot be read are in the first. */
export function splitModes(file: PriceFile): readonly (PriceFile & { readonly mode: DataMode })[] {
  const { modes = [] } = file;
  if (modes.length < 2) return [{ ...file, mode: modes[0] ?? "live" }];
  return modes.map((mode) => ({
    ...file,
    mode,
    open(zone, isClock) {
      const opened = file.open(zone, isClock);
      const next = opened.rows.next.bind(opened.rows);
      opened.rows.next = () => {
        while (next()) if ((opened.rows.mode ?? modes[0]) === mode) return true;
        return false;
      };
      return opened;
    },
  }));
}

/** More would take a pass over the file each. */
const MAX_SYMBOLS = 1_000;

/** Throws an Error if a file has rows of so many symbols that it is not read. */
export function requireFewSymbols(count: number): void {
  if (count > MAX_SYMBOLS) throw new Error(`its rows are of more than ${MAX_SYMBOLS} symbols: split the file`);
}

/** A sentence about one file, for the operator. */
export class FileRefused extends Error {
  readonly code = "file_refused";
  constructor(path: string, sentence: string) {
    super(`${toNameText(path)}: ${sentence}`);
    this.name = "FileRefused";
  }
}

/** What the time of a bar may be. */
export const STAMPS = ["begin", "end"] as const;

/** The timeframes that bars can be imported in: longer bars depend on the broker's day. */
export const IMPORT_TIMEFRAMES = ["M1", "M5", "M15", "M30", "H1"] as const satisfies readonly StoredTimeframe[];
