import { headerLine } from "@/lib/api/engine/call";
import type { Handled } from "@/lib/api/engine/endpoint";

export interface CsvFile {
  /** What a browser saves it as. */
  readonly name: string;
  readonly columns: readonly string[];
  /** Lines of plain ASCII without quotes, each ended by CRLF. */
  readonly rows: string;
  readonly headers: string;
}

/** A table as RFC 4180 writes it, with its header line. */
export function formatCsvAnswer({ name, columns, rows, headers }: CsvFile): Handled {
  return {
    body: `${columns.join(",")}\r\n${rows}`,
    isAscii: true,
    contentType: "text/csv; charset=utf-8; header=present",
    headers: headers + headerLine("Content-Disposition", `attachment; filename="${name}"`),
  };
}
