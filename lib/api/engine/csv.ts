import { formatHeaderLine } from "@/lib/api/engine/call";
import type { Handled } from "@/lib/api/engine/endpoint";
import { CSV_TYPE } from "@/lib/api/engine/table";

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
