import type { Handled, Row } from "@/lib/api/engine/answer";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { createLongEtag } from "@/lib/api/engine/etag";
import { slices } from "@/lib/platform/timing/slices";
import { formatCsvRows } from "@/lib/text/csv";

/** How the answer of an endpoint is written as a table. */
export interface Table {
  /** The usual columns: of a table without rows, and for the documentation. */
  readonly columns: readonly string[];
  /** Turns the data of the JSON answer into rows. Lists and objects in a row are left out. */
  readonly toRows: (data: never) => readonly Row[];
}

/** How many rows are written together: those of the widest table have some hundred cells, which take about a ms. */
const ROWS_OF_PART = 8;

export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** Defines a table by the data of the answer. */
export function defineTable<Data>(columns: readonly string[], toRows: (data: Data) => readonly Row[]): Table {
  return { columns, toRows };
}

/**
 * Writes an answer as CSV (RFC 4180) with a header line. Absent values are empty cells. Other calls are answered while a
 * long table is written.
 *
 * @param path of the endpoint, which gives the file its name
 */
export async function writeTable(
  { body, rows: given, headers = "", etag, ...handled }: Handled,
  { columns, toRows }: Table,
  path: string,
) {
  const rows = given ?? toRows(parseData(body));
  const used = rows.length === 0 ? columns : await listColumns(rows);
  const write = (part: readonly Row[]) => part.map((row) => used.map((column) => toCell(row[column])));
  const parts = await slices.map(splitRows(rows), (part) => Buffer.from(formatCsvRows(write(part))));
  const csv = await joinParts([Buffer.from(formatCsvRows([used])), ...parts]);
  const name = path.replace(/^\/v1\//, "").replaceAll("/", "-");
  return {
    ...handled,
    body: csv,
    isAscii: false,
    contentType: CSV_TYPE,
    etag: etag === undefined ? undefined : await createLongEtag(csv),
    headers: headers + formatHeaderLine("Content-Disposition", `attachment; filename="${name}.csv"`),
  } satisfies Handled;
}

function parseData(body: Handled["body"]): never {
  const text = typeof body === "string" ? body : Buffer.from(body).toString();
  const reply = JSON.parse(text) as { readonly data?: never };
  return reply.data ?? (reply as never);
}

async function listColumns(rows: readonly Row[]): Promise<string[]> {
  const names = new Set<string>();
  await slices.map(rows, (row) => {
    for (const [name, value] of Object.entries(row)) {
      if (value === null || typeof value !== "object") names.add(name);
    }
  });
  return [...names];
}

function* splitRows(rows: readonly Row[]): Iterable<readonly Row[]> {
  for (let at = 0; at < rows.length; at += ROWS_OF_PART) yield rows.slice(at, at + ROWS_OF_PART);
}

function toCell(value: unknown): string | number {
  if (typeof value === "number" || typeof value === "string") return value;
  return typeof value === "boolean" ? String(value) : "";
}

export interface CsvFile {
  /** The file name that browsers suggest. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Lines of plain ASCII without quotes, each ended by CRLF. */
  readonly rows: string;
  readonly headers: string;
}

/** Formats a table as CSV with a header line (RFC 4180). */
export function formatCsvAnswer({ name, columns, rows, headers }: CsvFile): Handled {
  return {
    body: `${columns.join(",")}\r\n${rows}`,
    isAscii: true,
    contentType: CSV_TYPE,
    headers: headers + formatHeaderLine("Content-Disposition", `attachment; filename="${name}"`),
  };
}

/** Joins the parts of an answer of megabytes, some in each turn of the event loop. */
export async function joinParts(parts: readonly Buffer[]): Promise<Buffer> {
  const joined = Buffer.allocUnsafe(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  await slices.map(parts, (part) => (at += part.copy(joined, at)));
  return joined;
}
