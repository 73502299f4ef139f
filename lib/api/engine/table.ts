import { formatHeaderLine } from "@/lib/api/engine/call";
import type { Handled } from "@/lib/api/engine/endpoint";
import { createEtag } from "@/lib/api/engine/http/etag";
import { formatCsv } from "@/lib/text/csv";

type Row = Readonly<Record<string, unknown>>;

/** How the answer of an endpoint is written as a table. */
export interface Table {
  /** The usual columns: of a table without rows, and for the documentation. */
  readonly columns: readonly string[];
  /** Turns the data of the JSON answer into rows. Lists and objects in a row are left out. */
  readonly toRows: (data: never) => readonly Row[];
}

export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** Defines a table by the data of the answer. */
export function defineTable<Data>(columns: readonly string[], toRows: (data: Data) => readonly Row[]): Table {
  return { columns, toRows };
}

/**
 * Writes an answer in JSON as CSV (RFC 4180) with a header line. Absent values are empty cells.
 *
 * @param path of the endpoint, which gives the file its name
 */
export function writeTable(
  { body, headers = "", etag, ...handled }: Handled,
  { columns, toRows }: Table,
  path: string,
) {
  const text = typeof body === "string" ? body : Buffer.from(body).toString();
  const reply = JSON.parse(text) as { readonly data?: never };
  const rows = toRows(reply.data ?? (reply as never));
  const used = rows.length === 0 ? columns : listColumns(rows);
  const csv = formatCsv(
    used,
    rows.map((row) => used.map((column) => toCell(row[column]))),
  );
  const name = path.replace(/^\/v1\//, "").replaceAll("/", "-");
  return {
    ...handled,
    body: csv,
    isAscii: false,
    contentType: CSV_TYPE,
    etag: etag === undefined ? undefined : createEtag(csv),
    headers: headers + formatHeaderLine("Content-Disposition", `attachment; filename="${name}.csv"`),
  } satisfies Handled;
}

function listColumns(rows: readonly Row[]): string[] {
  const names = new Set<string>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) {
      if (value === null || typeof value !== "object") names.add(name);
    }
  }
  return [...names];
}

function toCell(value: unknown): string | number {
  if (typeof value === "number" || typeof value === "string") return value;
  return typeof value === "boolean" ? String(value) : "";
}
