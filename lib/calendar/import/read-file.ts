import * as z from "zod";
import type { ReportedEvent } from "@/lib/calendar/event";
import { readWeeklyJson } from "@/lib/calendar/forexfactory/weekly-json";
import { readWeeklyXml } from "@/lib/calendar/forexfactory/weekly-xml";
import { readCsv } from "@/lib/calendar/import/csv";
import { type ImportOptions, type ImportRow, readImportRow } from "@/lib/calendar/import/rows";

export const IMPORT_FORMATS = ["csv", "json", "forexfactory-json", "forexfactory-xml"] as const;
export type ImportFormat = (typeof IMPORT_FORMATS)[number];

/**
 * Reads a file of events. Throws an Error that names the first unreadable row: files are imported completely or not at
 * all.
 */
export function readCalendarFile(bytes: Uint8Array, format: ImportFormat, options: ImportOptions): ReportedEvent[] {
  if (format === "forexfactory-xml") return readWeeklyXml(bytes, options.zone);
  const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  if (format === "forexfactory-json") return readWeeklyJson(text);
  const rows = format === "csv" ? readCsv(text) : readJsonRows(text);
  return rows.map((row, index) => {
    try {
      return readImportRow(row, options);
    } catch (error) {
      throw new Error(`Row ${index + 1} cannot be read: ${(error as Error).message}.`);
    }
  });
}

const cell = z.union([z.string(), z.number().transform(String), z.null().transform(() => "")]);
const objects = z.array(z.record(z.string(), cell));

/** Reads an array of objects, at the top or under `events` or `data.events`, as in an answer of /v1/calendar. */
function readJsonRows(text: string): ImportRow[] {
  const parsed: unknown = JSON.parse(text);
  const inner = (parsed as { data?: unknown }).data ?? parsed;
  const read = objects.safeParse((inner as { events?: unknown }).events ?? inner);
  if (!read.success) throw new Error("The file is not an array of events, nor an object with one under “events”.");
  return read.data;
}
