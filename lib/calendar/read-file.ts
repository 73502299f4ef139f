import { CsvError, parse } from "csv-parse/sync";
import * as z from "zod";
import { CERTAINTIES, FREQUENCIES, type ReportedEvent } from "@/lib/calendar/event";
import { readSourceUrl } from "@/lib/calendar/series";
import { readSourceTime } from "@/lib/calendar/source-time";
import { parseImpact, readWeeklyJson, readWeeklyXml } from "@/lib/calendar/weekly-events";

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

/** One event of a file, as named fields of text: a line of CSV or an object of JSON. */
type ImportRow = Readonly<Record<string, string>>;

interface ImportOptions {
  /** The IANA zone of times without an offset. */
  readonly zone: string;
  /** The year of dates without one. */
  readonly year?: number;
}

/** The accepted names of each field. The first one that is present counts. */
const NAMES = {
  id: ["id", "event_id"],
  date: ["datetime", "date", "datetime_utc", "time_utc", "event_dt"],
  time: ["time"],
  currency: ["currency", "country"],
  title: ["event", "title", "name"],
  impact: ["impact", "importance"],
  forecast: ["forecast", "consensus"],
  previous: ["previous"],
  revised: ["revised", "revised_previous"],
  actual: ["actual"],
  series: ["series_id", "series", "ticker"],
  certainty: ["certainty"],
  frequency: ["frequency"],
  sourceUrl: ["source_url"],
  description: ["description"],
} as const;

/** Reads a row. Throws an Error that names the problem. */
function readImportRow(row: ImportRow, options: ImportOptions): ReportedEvent {
  const field = (name: keyof typeof NAMES) => readField(row, NAMES[name]);
  const [date, title, currency] = [field("date"), field("title"), field("currency")];
  const time = readSourceTime(date ?? "", field("time") ?? "", options);
  if (time === null) throw new Error(`its date cannot be read: ${[date, field("time")].filter(Boolean).join(" ")}`);
  if (title === undefined || title === "") throw new Error("it has no title");
  if (currency === undefined || !/^[a-z]{3}$/i.test(currency)) throw new Error(`its currency is not one: ${currency}`);
  const impact = parseImpact(field("impact") ?? "low");
  if (impact === null) throw new Error(`its impact is not one: ${field("impact")}`);
  const [revised, actual, series] = [field("revised"), field("actual"), field("series")];
  return {
    key: field("id") || null,
    timeMs: time.timeMs,
    zone: options.zone,
    certainty: CERTAINTIES.find((each) => each === field("certainty")) ?? time.certainty,
    currency: currency.toUpperCase(),
    title,
    impact,
    forecast: field("forecast"),
    previous: field("previous"),
    revised: revised || undefined,
    actual: actual || undefined,
    seriesId: series || createSeriesId(currency, title),
    ...readAbout(field("frequency"), readSourceUrl(field("sourceUrl")), field("description") || undefined),
  };
}

function readAbout(word: string | undefined, sourceUrl: string | undefined, description: string | undefined) {
  const frequency = FREQUENCIES.find((each) => each === word?.toLowerCase());
  if (frequency === undefined && sourceUrl === undefined && description === undefined) return {};
  return { about: { frequency, sourceUrl, description } };
}

function readField(row: ImportRow, names: readonly string[]): string | undefined {
  const name = names.find((each) => Object.hasOwn(row, each));
  const text = name === undefined ? undefined : row[name]?.trim();
  return text !== undefined && /^(n\/a|nan|null|-)$/i.test(text) ? "" : text;
}

const PERIOD = /\s*\((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]|h[12]|\d{4})[a-z]*\)/gi;

/** Creates the id of a series where the file has none: currency and title without the period. */
function createSeriesId(currency: string, title: string): string {
  const name = title.replace(PERIOD, "").normalize("NFKD").toLowerCase();
  return `${currency.toLowerCase()}-${name.replace(/[^a-z\d]+/g, "-").replace(/^-|-$/g, "")}`;
}

/**
 * Reads CSV (RFC 4180). The first line names the fields, in lower case. Missing cells are empty, surplus ones are
 * ignored. Throws an Error for a quote that is not closed.
 */
function readCsv(text: string): ImportRow[] {
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
