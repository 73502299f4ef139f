import { stringify } from "csv-stringify/sync";

/**
 * Writes a table as RFC 4180 does, with a header line. A text that a spreadsheet would read as a formula gets a leading
 * apostrophe.
 */
export function formatCsv(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return stringify([columns, ...rows], { record_delimiter: "\r\n", quoted_match: /[\r\n]/, escape_formulas: true });
}
