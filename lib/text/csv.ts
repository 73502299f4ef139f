import { stringify } from "csv-stringify/sync";

/**
 * Writes a table as RFC 4180 does, with a header line. A text that a spreadsheet would read as a formula gets a leading
 * apostrophe.
 */
export function formatCsv(columns: readonly string[], rows: readonly Cells[]): string {
  return formatCsvRows([columns, ...rows]);
}

/** Writes some rows of such a table, or its header line. */
export function formatCsvRows(rows: readonly Cells[]): string {
  return stringify([...rows], {
    record_delimiter: "\r\n",
    quoted_match: /[\r\n]/,
    escape_formulas: true,
    cast: { number: formatPlain },
  });
}

/** The least number that JavaScript writes without an exponent, and the decimals of the smallest price. */
const LEAST_PLAIN = 1e-6;
const MOST_DECIMALS = 13;

/** Writes a number without an exponent: 0.0000004, not 4e-7. */
export function formatPlain(value: number): string {
  if (value === 0 || Math.abs(value) >= LEAST_PLAIN) return String(value);
  return value.toFixed(MOST_DECIMALS).replace(/\.?0+$/, "");
}

type Cells = readonly (string | number)[];

/** The codes of characters, for parsers that read bytes. */
export const NEWLINE = 10;
export const RETURN = 13;
export const BLANK = 32;
export const QUOTE = 34;
export const PLUS = 43;
export const COMMA = 44;
export const MINUS = 45;
export const POINT = 46;
export const SLASH = 47;
export const ZERO = 48;
export const NINE = 57;
export const COLON = 58;
