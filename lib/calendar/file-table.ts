import { CsvError, parse } from "csv-parse/sync";

/** The rows of a file of events as text by column, from the usual dialects of CSV and shapes of JSON. */

export interface FileRow {
  /** "Row 3", counted without the heading. */
  readonly name: string;
  /** The line of a CSV file, for messages; null in JSON. */
  readonly line: number | null;
  /** By the column's name as the file has it. A column that the row lacks is missing. */
  readonly cells: ReadonlyMap<string, string>;
}

export interface FileTable {
  /** The columns in the order of the file. */
  readonly columns: readonly string[];
  readonly rows: readonly FileRow[];
  /** What separates the cells; null in JSON. */
  readonly separator: string | null;
  /** What had to be assumed, as sentences. */
  readonly assumptions: readonly string[];
}

/** Reads every row. Throws an Error that names the row and its line if `read` throws. */
export function readRows<Result>(
  rows: readonly FileRow[],
  read: (row: FileRow, index: number) => Result,
): readonly Result[] {
  return rows.map((row, index) => {
    try {
      return read(row, index);
    } catch (error) {
      const line = row.line === null ? "" : ` (line ${row.line})`;
      throw new Error(`${row.name} cannot be read: ${(error as Error).message}${line}.`, { cause: error });
    }
  });
}

/**
 * Reads a CSV file: separated by commas, semicolons, tabs or bars, in UTF-8, UTF-16 or Windows-1252. The first line names
 * the columns. Missing cells are empty. Throws an Error that names the line for surplus cells and unclosed quotes.
 */
export function readCsvTable(bytes: Uint8Array): FileTable {
  const { text, assumptions } = decode(bytes);
  const { lines: all, separator } = parseCsv(text);
  const lines = all.filter(({ record }) => record.some((cell) => cell.trim() !== ""));
  // Exports may begin with lines about themselves. A heading names the date, the event and the currency at least.
  const start = lines.findIndex(({ record }) => record.filter((cell) => cell.trim() !== "").length >= 3);
  const [heading, ...rest] = lines.slice(Math.max(start, 0));
  const skipped = start > 0 ? [`What is above line ${heading?.info.lines} is no heading and not read.`] : [];
  const columns = nameColumns(heading?.record ?? []);
  const isHeading = ({ record }: CsvLine) => record.every((cell, index) => cell === heading?.record[index]);
  const rows = rest
    .filter((line) => !isHeading(line))
    .map(({ record, info }, index) => {
      if (record.slice(columns.length).some((cell) => cell.trim() !== ""))
        throw new Error(`Line ${info.lines} has ${record.length} cells, but the heading has ${columns.length}.`);
      const cells = new Map(columns.map((column, at) => [column, record[at] ?? ""]));
      return { name: `Row ${index + 1}`, line: info.lines, cells };
    });
  return {
    columns: columns.filter((column) => column !== ""),
    rows,
    separator,
    assumptions: [...assumptions, ...skipped],
  };
}

/**
 * Reads JSON: an array of objects, at the top or anywhere in an object; groups by date, country, currency or zone, whose value
 * the rows of the group receive; an array of arrays below one of names; or one object a line. Numbers and booleans are
 * read as text, null as "". Throws an Error if there are no rows of that kind.
 *
 * @param names what tells a row from other objects: some column of each of these groups
 */
export function readJsonTable(bytes: Uint8Array, names: RowNames): FileTable {
  const { text, assumptions } = decode(bytes);
  const document = parseJson(text);
  const found = findRows(document, new Map(), names);
  if (found.length === 0 && !isEmptyList(document))
    throw new Error("The file is not an array of events, nor an object that contains one.");
  const rows = found.map((cells, index) => ({ name: `Row ${index + 1}`, line: null, cells }));
  return { columns: [...new Set(rows.flatMap(({ cells }) => [...cells.keys()]))], rows, separator: null, assumptions };
}

function decode(bytes: Uint8Array): { text: string; assumptions: string[] } {
  const encoding = findEncoding(bytes);
  try {
    return { text: new TextDecoder(encoding, { fatal: true }).decode(bytes), assumptions: [] };
  } catch {
    if (encoding !== "utf-8") throw new Error("The file is damaged: it is not valid UTF-16.");
    const assumptions = ["The file is not valid UTF-8; it is read as Windows-1252."];
    return { text: new TextDecoder("windows-1252").decode(bytes), assumptions };
  }
}

function findEncoding(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  // Without a mark, every other byte of a heading is zero.
  if (first !== 0 && second === 0) return "utf-16le";
  return first === 0 && second !== 0 ? "utf-16be" : "utf-8";
}

interface CsvLine {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

const SEPARATORS = [",", ";", "\t", "|"];

function parseCsv(text: string): { lines: CsvLine[]; separator: string } {
  // Excel names the separator in a line of its own.
  const stated = /^\s*"?sep=(.)"?\r?\n/i.exec(text);
  const body = stated === null ? text : `\n${text.slice(stated[0].length)}`;
  const separator = stated?.[1] ?? findSeparator(body);
  try {
    const options = { bom: true, relax_column_count: true, delimiter: separator, info: true } as const;
    return { lines: parse(body, options) as unknown as CsvLine[], separator };
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === "CSV_QUOTE_NOT_CLOSED")
      throw new Error(`Line ${error.lines} has a quote that is not closed.`, { cause: error });
    throw new Error(`The file is not CSV: ${error.message}.`, { cause: error });
  }
}

/** The separator that the heading has most of, which is the first line with several. */
function findSeparator(text: string): string {
  const count = (line: string, separator: string) => line.replace(/"[^"]*"/g, "").split(separator).length;
  const lines = text.slice(0, 10_000).split(/[\r\n]/);
  const heading = lines.find((line) => SEPARATORS.some((each) => count(line, each) >= 3)) ?? "";
  return SEPARATORS.reduce((best, each) => (count(heading, each) > count(heading, best) ? each : best));
}

/** A name that occurs twice gets a number, so that no column hides another. */
function nameColumns(heading: readonly string[]): string[] {
  const names = heading.map((name) => name.trim());
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((each) => each === name).length;
    return name === "" || before === 0 ? name : `${name} (${before + 1})`;
  });
}

type Cells = ReadonlyMap<string, string>;

interface RowNames {
  /** Whether a column names the event. */
  isTitle(column: string): boolean;
  /** Whether a column has the date or time of the event. */
  isMoment(column: string): boolean;
  /** Whether a column has the currency or the country. */
  isPlace(column: string): boolean;
  /** Whether a column has the zone of the times. */
  isZone(column: string): boolean;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    if (lines.length < 2) throw new Error(`The file is not JSON: ${(error as Error).message}.`, { cause: error });
    return lines.map((line, index) => {
      try {
        return JSON.parse(line) as unknown;
      } catch {
        // The first line of a document that spans several lines is no document of its own.
        const message = index === 0 ? (error as Error).message : `line ${index + 1} cannot be read`;
        throw new Error(`The file is not JSON: ${message}.`, { cause: error });
      }
    });
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function isEmptyList(document: unknown): boolean {
  if (Array.isArray(document)) return document.length === 0;
  return (
    isObject(document) &&
    Object.values(document).some((each) =>
      isObject(each) ? isEmptyList(each) : Array.isArray(each) && each.length === 0,
    )
  );
}

/** @param group the date, country or currency that the objects around tell */
function findRows(value: unknown, group: Cells, names: RowNames): Cells[] {
  if (Array.isArray(value)) return findInList(value, group, names);
  if (!isObject(value)) return [];
  const split = joinSplitTable(value);
  if (split !== null) return findInList(split, group, names);
  const own = toCells(value);
  const isWhole = isRow(own, names) && [...own.keys()].some(names.isPlace);
  const inner = isWhole ? [] : findInside(value, new Map([...group, ...readGroup(own, names)]), names);
  if (inner.length > 0) return inner;
  const cells = new Map([...group, ...own]);
  return isRow(cells, names) ? [cells] : [];
}

function findInList(list: readonly unknown[], group: Cells, names: RowNames): Cells[] {
  const [first, ...rest] = list;
  if (Array.isArray(first) && first.every((each) => typeof each === "string") && rest.every(Array.isArray)) {
    const heading = nameColumns(first);
    return rest.map(
      (row) => new Map([...group, ...toCells(Object.fromEntries(heading.map((name, at) => [name, row[at]])))]),
    );
  }
  const found = list.map((each) => findRows(each, group, names));
  // One object of a list that is no row would otherwise be lost in silence.
  const isList = found.some(
    (rows, index) => rows.length === 1 && isObject(list[index]) && isRow(toCells(list[index]), names),
  );
  return found.flatMap((rows, index) => {
    const each = list[index];
    return rows.length > 0 || !isList ? rows : [new Map([...group, ...(isObject(each) ? toCells(each) : [])])];
  });
}

/** A table whose names and rows are two lists: an array of arrays below one of names; null for other objects. */
function joinSplitTable(value: Record<string, unknown>): unknown[] | null {
  const [columns, rows] = [value["columns"] ?? value["fields"] ?? value["headers"], value["rows"] ?? value["data"]];
  if (!Array.isArray(columns) || !Array.isArray(rows) || !rows.every(Array.isArray)) return null;
  const names = columns.map((column: unknown) => (isObject(column) ? (column["name"] ?? column["id"]) : column));
  return names.every((name) => typeof name === "string") ? [names, ...rows] : null;
}

const DATE_KEY = /^\d{4}-?\d\d-?\d\d$/;

function findInside(value: Record<string, unknown>, group: Cells, names: RowNames): Cells[] {
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = DATE_KEY.test(key) ? new Map([...group, ["date", key]]) : group;
    return typeof inner === "object" ? findRows(inner, known, names) : [];
  });
}

function isRow(cells: Cells, names: RowNames): boolean {
  const columns = [...cells].filter(([, text]) => text !== "").map(([column]) => column);
  return columns.some(names.isTitle) && columns.some(names.isMoment);
}

/** A time beside a list is often that of the download, so only a date is inherited. */
function readGroup(own: Cells, names: RowNames): Cells {
  return new Map(
    [...own].filter(([column]) => /^(date|day)$/i.test(column) || names.isPlace(column) || names.isZone(column)),
  );
}

function toCells(row: Record<string, unknown>): Cells {
  return new Map(Object.entries(row).map(([column, value]) => [column.trim(), toText(value)]));
}

function toText(value: unknown): string {
  // Sixteen and seventeen digits are the noise of binary fractions.
  if (typeof value === "number") return String(Number.isInteger(value) ? value : Number(value.toPrecision(15)));
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  return typeof value === "string" || typeof value === "boolean" ? String(value) : "";
}
