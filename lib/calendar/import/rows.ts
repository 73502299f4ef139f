import { CERTAINTIES, type Certainty, type ReportedEvent } from "@/lib/calendar/event";
import { parseImpact } from "@/lib/calendar/impact-words";
import { readSourceTime } from "@/lib/calendar/source-time";

/** One event of a file, as named fields of text: a line of CSV or an object of JSON. */
export type ImportRow = Readonly<Record<string, string>>;

export interface ImportOptions {
  /** The IANA zone of times that name no offset. */
  readonly zone: string;
  /** The year of dates that name none. */
  readonly year?: number;
}

/** What the fields may be called, the first one found counting. */
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
} as const;

/** Reads a row. Throws an Error that says what is wrong with it. */
export function readImportRow(row: ImportRow, options: ImportOptions): ReportedEvent {
  const field = (name: keyof typeof NAMES) => textOf(row, NAMES[name]);
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
    ...{ timeMs: time.timeMs, zone: options.zone, certainty: certaintyOf(field("certainty"), time.certainty) },
    ...{ currency: currency.toUpperCase(), title, impact },
    ...{ forecast: field("forecast"), previous: field("previous") },
    ...{ revised: revised || undefined, actual: actual || undefined },
    seriesId: series || seriesOf(currency, title),
  };
}

function textOf(row: ImportRow, names: readonly string[]): string | undefined {
  const name = names.find((each) => Object.hasOwn(row, each));
  const text = name === undefined ? undefined : row[name]?.trim();
  return text !== undefined && /^(n\/a|nan|null|-)$/i.test(text) ? "" : text;
}

function certaintyOf(word: string | undefined, otherwise: Certainty): Certainty {
  return CERTAINTIES.find((each) => each === word) ?? otherwise;
}

const PERIOD = /\s*\((?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|q[1-4]|h[12]|\d{4})[a-z]*\)/gi;

/** A key for the indicator where the file names none: currency and title, without the period it is of. */
function seriesOf(currency: string, title: string): string {
  const name = title.replace(PERIOD, "").normalize("NFKD").toLowerCase();
  return `${currency.toLowerCase()}-${name.replace(/[^a-z\d]+/g, "-").replace(/^-|-$/g, "")}`;
}
