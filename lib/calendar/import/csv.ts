import { CsvError, parse } from "csv-parse/sync";
import type { ImportRow } from "@/lib/calendar/import/rows";

/**
 * Reads CSV (RFC 4180). The first line names the fields, in lower case. Missing cells are empty, surplus ones are
 * ignored. Throws an Error for a quote that is not closed.
 */
export function readCsv(text: string): ImportRow[] {
  try {
    const [names = [], ...rows] = parse(text, { bom: true, relax_column_count: true });
    const fields = names.map((name) => name.trim().toLowerCase());
    return rows
      .filter((cells) => cells.some((cell) => cell.trim() !== ""))
      .map((cells) => Object.fromEntries(fields.map((field, index) => [field, cells[index] ?? ""])));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === "CSV_QUOTE_NOT_CLOSED") throw new Error(`Line ${error.lines} has a quote that is not closed.`);
    throw new Error(`The file is not CSV: ${error.message}.`);
  }
}
