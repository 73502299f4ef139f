import { CERTAINTIES, FREQUENCIES, type ReportedEvent } from "@/lib/calendar/event";
import { parseImpact } from "@/lib/calendar/impact-words";
import { readSourceUrl } from "@/lib/calendar/series-about";
import { readSourceTime } from "@/lib/calendar/source-time";

/** One event of a file, as named fields of text: a line of CSV or an object of JSON. */
export type ImportRow = Readonly<Record<string, string>>;

export interface ImportOptions {
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
export function readImportRow(row: ImportRow, options: ImportOptions): ReportedEvent {
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
