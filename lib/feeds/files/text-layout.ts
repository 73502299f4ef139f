import { type ColumnMeaning, findFields, readNames } from "@/lib/feeds/files/column-names";
import type { FileFormat } from "@/lib/feeds/files/price-rows";
import type { StampOptions } from "@/lib/feeds/files/stamp-reader";
import { findByShape, type Known, NUMBER } from "@/lib/feeds/files/text-shapes";
import { describeTimes, findZone } from "@/lib/feeds/files/text-times";
import type { DateOrder } from "@/lib/time/iso-time";
import { splitStatedZone } from "@/lib/time/stated-zone";

/**
 * Recognises how a text of ticks or bars is written, from its first lines: the delimiter, the heading, what each column
 * means, how times and numbers are written. What the file leaves open is refused with the option that says it.
 */

/** What the operator says of a text, in place of what would be recognised. */
export interface TextOptions {
  /** The meaning of each field in its order, such as "time,bid,ask,-". */
  readonly columns?: string | undefined;
  readonly dateOrder?: DateOrder | undefined;
  readonly decimal?: "." | "," | undefined;
  /** Times of files are not later. UTC milliseconds. */
  readonly nowMs?: number | undefined;
}

/** How a text is written, and where each value stands in its rows. */
export interface TextLayout extends ColumnMeaning {
  readonly format: FileFormat;
  /** The text between two fields; a blank stands for any number of blanks. */
  readonly delimiter: string;
  /** Whether fields of the first lines are in quotes. */
  readonly hasQuotes: boolean;
  /** The number of the first line that is a row; those before are the heading and what stands above it. */
  readonly firstLine: number;
  /** The fields of a row, without empty ones at its end. */
  readonly fields: number;
  readonly decimal: "." | ",";
  /** Whether whole numbers have signs between their thousands. */
  readonly hasThousands: boolean;
  readonly stamp: StampOptions;
  /** Whether only dates further on in the file can tell if days or months come first. */
  readonly isOrderOpen: boolean;
  /** The zone of times without an offset; null if the file does not tell it. */
  readonly zone: string | null;
  /** What tells the zone; for null, what it needs. */
  readonly zoneReason: string;
  /** Why the stamps of bars may be their ends; null if nothing says so. */
  readonly endsReason: string | null;
  /** Whether the times name their zone themselves. */
  readonly hasFixedZone: boolean;
  /** Whether all times of the first lines have an offset or are Unix time. */
  readonly hasOffsets: boolean;
  /** The clock that these offsets are of, such as "UTC+3"; null if they differ, or if there are none. */
  readonly offset: string | null;
  /** Whether times are milliseconds from the midnight of the day in the file's name, as Lean writes them. */
  readonly isOfDay: boolean;
  /** What tells whether the last field of a row is whole; null if nothing does. */
  readonly lastField: LastField | null;
  /** The name of each column in the heading; empty without one. */
  readonly headings: readonly string[];
  /** The line of the heading; null without one. */
  readonly headingLine: string | null;
  readonly notes: readonly string[];
}

/** The least characters of the last field of a row, or the least decimals if it is a price. */
interface LastField {
  readonly of: "price" | "time" | "symbol" | "volume";
  readonly least: number;
}

export interface SampleLine {
  readonly number: number;
  readonly text: string;
}

const DELIMITERS = ["\t", ";", "|", ",", " "] as const;

/** Throws an Error that says what was expected. `archive` is the name of the archive around the text, if there is one. */
export function findTextLayout(
  lines: readonly SampleLine[],
  name: string,
  options: TextOptions = {},
  archive = "",
): TextLayout {
  let fault: unknown = null;
  for (const delimiter of DELIMITERS) {
    const table = splitTable(lines, delimiter);
    if (table === null) continue;
    let found: FoundTable;
    try {
      found = findColumns(table, name, options);
    } catch (error) {
      fault ??= error;
      continue;
    }
    // With its columns found, no other delimiter is the right one.
    return readTable(table, found, `${name} ${archive}`, options);
  }
  throw (
    fault ??
    new Error(
      `line ${lines[0]?.number ?? 1} has no tab, semicolon or comma between fields: expected a csv of ticks or bars`,
    )
  );
}

interface Row extends SampleLine {
  readonly cells: readonly string[];
}

interface Table {
  readonly delimiter: string;
  /** The fields that most rows have. */
  readonly fields: number;
  readonly rows: readonly Row[];
}

/** Splits a line as RFC 4180 has it: a field in quotes may contain the delimiter, and doubled quotes. */
export function splitLine(line: string, delimiter: string): string[] {
  const cells: string[] = [];
  const text = delimiter === " " ? line.trim().replace(/ +/g, " ") : line;
  const form = delimiter === " " ? /^"((?:[^"]|"")*)"/ : /^ *"((?:[^"]|"")*)" */;
  for (let at = 0; at <= text.length;) {
    const quoted = form.exec(text.slice(at, at + 65_536));
    const isQuoted = quoted !== null && [delimiter, ""].includes(text.charAt(at + quoted[0].length));
    const end = isQuoted ? at + quoted[0].length : text.indexOf(delimiter, at);
    const until = end === -1 ? text.length : end;
    cells.push(isQuoted ? (quoted[1] as string).replaceAll('""', '"').trim() : text.slice(at, until).trim());
    at = until + 1;
  }
  return cells;
}

/** Null if the lines have too few fields with this delimiter. */
function splitTable(lines: readonly SampleLine[], delimiter: string): Table | null {
  if (!lines.some(({ text }) => text.includes(delimiter))) return null;
  const rows = lines.map(({ number, text }) => ({ number, text, cells: splitLine(text, delimiter) }));
  const counts = new Map<number, number>();
  const valued = rows.filter(({ cells }) => cells.filter(isValue).length >= 2);
  for (const { cells } of valued.length > 0 ? valued : rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  const [usual] = [...counts].sort(([, many], [, more]) => more - many);
  if (usual === undefined || (delimiter === " " && usual[0] < 3)) return null;
  return { delimiter, fields: usual[0], rows };
}

/** A table with the rows that tell its layout. */
interface FoundTable extends FoundMeaning {
  /** The index of the first line that is a row. */
  readonly first: number;
  readonly data: readonly Row[];
}

/** The index of the first row of a table, and its rows of the usual length. */
function findRows({ rows, fields }: Table) {
  const isRow = ({ cells }: Row) => cells.length === fields && cells.filter(isValue).length >= 2;
  const at = rows.findIndex(isRow);
  const first = at === -1 ? rows.length : at;
  return { first, data: rows.slice(first).filter(({ cells }) => cells.length === fields) };
}

/**
 * The headings of a text, or the numbers of its columns, and the cells of its first rows, whether or not it can be read as
 * prices; null if nothing splits its lines.
 *
 * @param fields how many columns it is known to have
 */
export function splitText(lines: readonly SampleLine[], fields?: number) {
  const tables = DELIMITERS.flatMap((delimiter) => splitTable(lines, delimiter) ?? []);
  const table = tables.find((each) => each.fields === fields) ?? tables[0];
  if (table === undefined) return null;
  const { first, data } = findRows(table);
  const rows = data.map(({ cells }) => cells);
  const heading = table.rows.slice(0, first).findLast((row) => isHeading(row, table.fields));
  const names = heading?.cells.length === table.fields ? heading.cells : [];
  return { names: Array.from({ length: table.fields }, (_, at) => names[at] || `column ${at + 1}`), rows };
}

function findColumns(table: Table, name: string, options: TextOptions): FoundTable {
  const { rows, fields } = table;
  const { first, data } = findRows(table);
  const cells = data.map((row) => row.cells);
  const found = findMeaning(rows.slice(0, first), { cells, fields, name }, options);
  return { ...found, first, data };
}

function readTable(
  { rows, fields, delimiter }: Table,
  found: FoundTable,
  name: string,
  options: TextOptions,
): TextLayout {
  const { first, data, meaning, headings, headingLine, skipped, known } = found;
  const cells = data.map((row) => row.cells);
  if (data.length === 0) {
    const below = rows.find((row) => headingLine === null || row.text !== headingLine);
    const found = below === undefined ? "" : `: line ${below.number} is ${below.text.slice(0, 80)}`;
    throw new Error(
      below === undefined
        ? "the file has a heading and no rows"
        : `no line has ${fields} fields with a time and prices that can be read${found}`,
    );
  }
  const notes = [...skipped.map(({ number, text }) => `line ${number} is skipped: ${text.slice(0, 60)}`)];
  const time = describeTimes(meaning, { cells, headings, isOfDay: known?.isOfDay === true }, options);
  const prices = meaning.prices.flatMap((column) => cells.map((row) => row[column] ?? ""));
  const numbers = findDecimal(prices, delimiter, options.decimal);
  const zone = findZone(meaning, { headings, skipped, name, known, zoneOfCells: time.zone });
  return {
    ...meaning,
    ...numbers,
    ...{ delimiter, fields, headings, headingLine },
    hasQuotes: data.some(({ text }) => text.includes('"')),
    ...{ stamp: time.stamp, isOrderOpen: time.isOrderOpen, hasOffsets: time.hasOffsets, offset: time.offset },
    hasFixedZone: time.zone !== null,
    endsReason: known?.endsReason ?? null,
    ...{ format: zone.format, zone: zone.zone, zoneReason: zone.zoneReason, isOfDay: known?.isOfDay === true },
    firstLine: rows[first]?.number ?? 1,
    lastField: findLastField(meaning, cells, numbers.decimal),
    notes: [...notes, ...meaning.notes, ...time.notes, ...numbers.notes],
  };
}

const isValue = (cell: string) =>
  NUMBER.test(cell) || THIRTY_SECONDS.test(cell) || /^\d{1,4}[-./:]\d\d?(?:[-./: T]|$)/.test(cell);

interface Data {
  readonly cells: readonly (readonly string[])[];
  readonly fields: number;
  readonly name: string;
}

interface FoundMeaning {
  readonly meaning: ColumnMeaning;
  readonly headings: readonly string[];
  readonly headingLine: string | null;
  /** Lines above the rows that are neither the heading nor blank. */
  readonly skipped: readonly Row[];
  readonly known: Known | null;
}

function findMeaning(above: readonly Row[], data: Data, { columns }: TextOptions): FoundMeaning {
  const { cells, fields } = data;
  if (columns !== undefined) {
    const names = columns.split(",").map((column) => column.trim());
    if (names.length !== fields) {
      throw new Error(`--columns names ${names.length} fields, and its rows have ${fields}`);
    }
    const meaning = readNames(names, cells, "--columns lacks", "it has");
    // The heading still names the columns, and tells the zone unless --columns does.
    const heading = above.findLast((row) => isHeading(row, fields) && row.cells.length === fields);
    const headings = names.map((name, at) =>
      splitStatedZone(name).zone === null ? (heading?.cells[at] ?? name) : name,
    );
    const skipped = above.filter((each) => each !== heading);
    return { meaning, headings, headingLine: heading?.text ?? null, skipped, known: null };
  }
  const candidates = above.filter((row) => isHeading(row, fields)).reverse();
  let fault: unknown = null;
  for (const row of candidates) {
    try {
      const names = fitHeading(row.cells, data);
      const meaning = readNames(names, cells, `line ${row.number} has no heading`, "its headings are");
      const skipped = above.filter((each) => each !== row);
      return { meaning, headings: names, headingLine: row.text, skipped, known: null };
    } catch (error) {
      fault ??= error;
    }
  }
  if (fault !== null) throw fault;
  const known = findByShape(cells, data.name);
  if (known === null) {
    throw new Error(
      `line ${(above.at(-1)?.number ?? 0) + 1} has no heading, and its fields are none of a known format: expected a heading like "time,bid,ask" or "time,open,high,low,close", or --columns`,
    );
  }
  return { meaning: known.meaning, headings: [], headingLine: null, skipped: above, known };
}

function isHeading({ cells }: Row, fields: number): boolean {
  const isWord = (cell: string) => /\p{L}/u.test(cell) && !isValue(cell);
  return (
    (cells.length >= fields - 1 || findsPrices(cells)) && cells.some(isWord) && !cells.some((cell) => NUMBER.test(cell))
  );
}

/** The headings of as many columns as the rows have fields. Throws an Error if they do not fit. */
function fitHeading(names: readonly string[], { cells, fields }: Data): string[] {
  const missing = fields - names.length;
  const isEmptyFrom = (from: number) => cells.every((row) => row.slice(from).every((cell) => cell === ""));
  if (missing <= 0 && names.slice(fields).every((each) => each === "")) return names.slice(0, fields);
  if (missing > 0 && isEmptyFrom(names.length)) return [...names, ...Array<string>(missing).fill("")];
  // Fields at the end may be left out, such as volumes; whether those before fit, their values tell.
  if (missing < 0 && findsPrices(names.slice(0, fields))) return names.slice(0, fields);
  // Row numbers have no heading where R writes them.
  if (missing === 1 && cells.every((row, i) => Number(row[0]) - Number(cells[0]?.[0]) === i)) return ["", ...names];
  throw new Error(
    `its ${names.length} headings do not fit its rows of ${fields} fields: is the decimal sign also the one between fields?`,
  );
}

function findsPrices(names: readonly string[]): boolean {
  try {
    return findFields(names, "", "").prices.length > 0;
  } catch {
    return false;
  }
}

interface Numbers {
  readonly decimal: "." | ",";
  readonly hasThousands: boolean;
  readonly notes: readonly string[];
}

/** Prices of bonds: 110'08, 110-08+ and 110'085 are 110 and 8.0, 8.5 and 8.5 of 32. */
const THIRTY_SECONDS = /^1?\d\d['\u2019-](?:[0-2]\d|3[01])[0257+]?$/;

/** Which sign stands before decimals, and whether another stands between thousands. Throws an Error if both are possible. */
function findDecimal(prices: readonly string[], delimiter: string, given: "." | "," | undefined): Numbers {
  const treasury = prices.filter((price) => price !== "");
  if (treasury.length > 0 && treasury.every((price) => THIRTY_SECONDS.test(price)))
    throw new Error(`its prices, like ${treasury[0] ?? ""}, are in 32nds: write them as decimals, such as 110.25`);
  let [points, commas, thousandPoints, thousandCommas, openCommas] = [0, 0, 0, 0, 0];
  for (const price of prices) {
    const signs = price.replace(/[^.,]/g, "");
    if (signs === "") continue;
    const last = signs.at(-1);
    const [, whole = "", behind = ""] = /^\D*(.*)[.,](\d*)/.exec(price) ?? [];
    const isOpen = signs.length === 1 && behind.length === 3 && /^[1-9]\d{0,2}$/.test(whole);
    if (signs.length > 1 && signs.split("").every((sign) => sign === last)) {
      if (last === ",") thousandCommas++;
      else thousandPoints++;
    } else if (isOpen) {
      if (last === ",") openCommas++;
    } else if (last === ",") {
      commas++;
      if (signs.length > 1) thousandPoints++;
    } else {
      points++;
      if (signs.length > 1) thousandCommas++;
    }
  }
  const asComma = commas + thousandPoints;
  const asPoint = points + thousandCommas;
  const isGrouped = prices.some((price) => /\d[' \u00a0\u2009\u202f\u2019]\d/.test(price));
  if (given !== undefined) return { decimal: given, hasThousands: true, notes: [] };
  if (asComma > 0 && asPoint > 0) {
    throw new Error("its prices have both a point and a comma before decimals: give the decimal sign with --decimal");
  }
  if (asComma > 0)
    return { decimal: ",", hasThousands: isGrouped || thousandPoints > 0, notes: ["the decimal sign is the comma"] };
  if (openCommas === 0 || asPoint > 0) {
    return {
      decimal: ".",
      hasThousands: isGrouped || thousandCommas + openCommas > 0,
      notes: thousandCommas > 0 ? ["commas stand between thousands"] : [],
    };
  }
  if (delimiter !== ";") {
    const [example = ""] = prices.filter((price) => price.includes(","));
    throw new Error(
      `its prices, like ${example}, may have a comma before decimals or between thousands: give --decimal , or --decimal .`,
    );
  }
  return {
    decimal: ",",
    hasThousands: isGrouped,
    notes: ["the decimal sign is taken to be the comma, as fields are separated by semicolons"],
  };
}

/** A last row that no line break ends may be cut inside of its last field. The longest of the others tells it. */
function findLastField(
  { prices, at }: ColumnMeaning,
  cells: readonly (readonly string[])[],
  decimal: string,
): LastField | null {
  const last = (cells[0]?.length ?? 0) - 1;
  const others = cells.slice(0, -1).map((row) => row[last] ?? "");
  const most = (count: (cell: string) => number) => Math.max(0, ...others.map(count));
  if (prices.includes(last)) return { of: "price", least: most((cell) => cell.split(decimal)[1]?.length ?? 0) };
  if (at.time === last || at.date === last) return { of: "time", least: most((cell) => cell.length) };
  return at.symbol === last || at.volume === last ? { of: at.symbol === last ? "symbol" : "volume", least: 0 } : null;
}
