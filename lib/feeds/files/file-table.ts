import { statSync } from "node:fs";
import { join } from "node:path";
import { type FileColumn, guessColumns } from "@/lib/feeds/files/column-names";
import { listContents, openText, readHead, readLines } from "@/lib/feeds/files/open-bytes";
import { openPriceFiles } from "@/lib/feeds/files/open-price-file";
import { ColumnReader, readTable } from "@/lib/feeds/files/parquet-columns";
import { type SampleLine, splitText, type TextOptions } from "@/lib/feeds/files/text-layout";
import { decode } from "@/lib/feeds/files/text-rows";

/** What a person needs to say what the columns of a file are. */
export interface FileTable {
  /** The path of the file; of one in an archive, its name behind the archive's path. */
  readonly file: string;
  readonly columns: readonly FileColumn[];
  /** The cells of its first rows. */
  readonly rows: readonly (readonly string[])[];
}

const SAMPLE_LINES = 50;
const MOST_COLUMNS = 64;
const MOST_ROWS = 3;
const MOST_CELL = 40;
const MOST_NAME = 60;

/**
 * The columns of a file or of one in an archive, and its first rows, also if it cannot be imported; null if it is no table.
 * Never throws.
 *
 * @param own the path of the file in the archive `path`, or `path`
 * @param known its columns as they are read; undefined if it is refused
 */
export function readFileTable(
  path: string,
  own: string,
  options: TextOptions,
  known?: readonly FileColumn[],
): FileTable | null {
  if (known === undefined && own === path) {
    try {
      // What is refused for its zone, its symbol or its level has columns that are known.
      const [file] = openPriceFiles(path, options).files;
      if (file?.columns !== undefined) return readFileTable(path, own, options, file.columns);
    } catch {
      // Its columns are not known.
    }
  }
  try {
    const isParquet = String.fromCharCode(...readHead(path, 4)) === "PAR1";
    const found = isParquet ? readParquet(path) : readText(path, own, known?.length);
    if (found === null || found.names.length > MOST_COLUMNS) return null;
    const columns = known?.length === found.names.length ? known : guessColumns(found.names);
    return {
      file: own,
      columns: columns.map(({ name, field }) => ({ name: name.slice(0, MOST_NAME), field })),
      rows: found.rows.slice(0, MOST_ROWS).map((cells) => cells.map((cell) => cell.slice(0, MOST_CELL))),
    };
  } catch {
    return null;
  }
}

function readText(path: string, own: string, fields: number | undefined) {
  const contents = listContents(path, statSync(path).size);
  const content = contents.find(({ name }) => name !== null && join(path, name) === own) ?? contents[0];
  if (content === undefined || content.fault !== null) return null;
  const lines = readLines(openText(content.open()).next);
  const sample: SampleLine[] = [];
  while (sample.length < SAMPLE_LINES && lines.next())
    sample.push({ number: lines.number, text: decode(lines.bytes, lines.start, lines.end) });
  return splitText(sample, fields);
}

function readParquet(path: string) {
  const { columns, rows } = readTable(path, statSync(path).size);
  const count = Math.min(rows, MOST_ROWS);
  const values = columns.map((column) => {
    if (column.isNested) return [];
    const reader = new ColumnReader(path, column, Number);
    return Array.from({ length: count }, () => {
      reader.next();
      return reader.describe() ?? "";
    });
  });
  return {
    names: columns.map(({ name }) => name),
    rows: Array.from({ length: count }, (_, row) => values.map((column) => column[row] ?? "")),
  };
}
