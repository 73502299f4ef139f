import { XMLParser } from "fast-xml-parser";
import * as z from "zod";
import type { Impact, ReportedEvent } from "@/lib/calendar/event";
import { readSourceTime, type SourceTime } from "@/lib/calendar/source-time";

/** The weekly file of ForexFactory as JSON. Its times contain New York's offset. */

export const FOREX_FACTORY_ZONE = "America/New_York";

const weeklyRows = z.array(
  z.object({
    title: z.string().min(1),
    country: z.string().min(1),
    date: z.string(),
    impact: z.string(),
    forecast: z.string().nullish(),
    previous: z.string().nullish(),
  }),
);

/** Throws an Error that names the row that cannot be read. */
export function readWeeklyJson(text: string): ReportedEvent[] {
  return weeklyRows.parse(JSON.parse(text)).map((row, index) => {
    const time = readSourceTime(row.date, "", { zone: FOREX_FACTORY_ZONE });
    if (time === null) throw new Error(`Row ${index + 1} has no readable date: ${row.date.slice(0, 40)}`);
    return toWeeklyEvent(row, time, FOREX_FACTORY_ZONE);
  });
}

/**
 * The weekly file of ForexFactory as XML. It is encoded in windows-1252, has date and time of day in two fields, and
 * states no zone. Recorded files are in UTC, unlike the JSON form.
 */

const text = z.string().default("");
const weeklyFile = z.object({
  weeklyevents: z.object({
    event: z
      .array(
        z.object({ title: text, country: text, date: text, time: text, impact: text, forecast: text, previous: text }),
      )
      .default([]),
  }),
});

const parser = new XMLParser({
  isArray: (name) => name === "event",
  parseTagValue: false,
  htmlEntities: true,
});

/** Throws an Error that names the event that cannot be read. */
export function readWeeklyXml(bytes: Uint8Array, zone = "UTC"): ReportedEvent[] {
  const file = weeklyFile.safeParse(parser.parse(new TextDecoder("windows-1252").decode(bytes)));
  if (!file.success) throw new Error("This is not a weekly file of events in XML.");
  return file.data.weeklyevents.event.map((row, index) => {
    const time = readSourceTime(row.date, row.time, { zone });
    if (time === null || row.title === "")
      throw new Error(`Event ${index + 1} has no title or no readable date: ${row.date} ${row.time}`.trim());
    return toWeeklyEvent(row, time, zone);
  });
}

/** A row of the weekly file, as JSON or as XML. */
interface WeeklyRow {
  readonly title: string;
  /** The currency code. */
  readonly country: string;
  readonly impact: string;
  readonly forecast?: string | null | undefined;
  readonly previous?: string | null | undefined;
}

/** The weekly file has no identifiers, no actuals and no series. */
function toWeeklyEvent(row: WeeklyRow, time: SourceTime, zone: string): ReportedEvent {
  const isHoliday = row.impact.toLowerCase() === "holiday";
  return {
    key: null,
    timeMs: time.timeMs,
    zone,
    certainty: isHoliday ? "all_day" : time.certainty,
    currency: row.country.toUpperCase(),
    title: row.title,
    impact: parseImpact(row.impact) ?? "low",
    forecast: row.forecast ?? "",
    previous: row.previous ?? "",
  };
}

const WORDS: Readonly<Record<string, Impact>> = {
  high: "high",
  critical: "high",
  red: "high",
  "3": "high",
  medium: "medium",
  moderate: "medium",
  orange: "medium",
  "2": "medium",
  low: "low",
  yellow: "low",
  "1": "low",
  none: "low",
  "0": "low",
  // Holidays alone move no price.
  holiday: "low",
  gray: "low",
  grey: "low",
  "non-economic": "low",
  // Whether an event is important.
  true: "high",
  false: "low",
};

const PICTURES: Readonly<Record<string, Impact>> = { red: "high", ora: "medium", yel: "low", gra: "low" };

/**
 * Reads a source's word for the impact: "Moderate", "red", "High Impact Expected", "3", stars, "2/3", "true", or the name
 * of a picture like "icon--ff-impact-ora". Null for any other word.
 */
export function parseImpact(word: string): Impact | null {
  const plain = word.trim().toLowerCase();
  const stars = plain.match(/[★⭐*]/gu)?.length;
  if (stars !== undefined && /^[★☆⭐*\s\u{fe0f}]+$/u.test(plain)) return WORDS[stars] ?? null;
  const picture = /\bimpact-(red|ora|yel|gra)/.exec(plain)?.[1];
  const bare = plain.replace(/^(bull(?=\d)|calendar_importance_|[^\p{L}\p{N}]+)/u, "");
  // The number counts in "2 stars" and "2/3", but not in "2 of 5".
  const [number] = /^\d(?=(\.0+)?(\s*(star|bull)s?|\s*\/\s*3)?$)/.exec(bare) ?? [];
  const [first = ""] = bare.split(/[\s/_]/);
  return WORDS[plain] ?? PICTURES[picture ?? ""] ?? WORDS[number ?? first.replace(/^\d.*/, "")] ?? null;
}
