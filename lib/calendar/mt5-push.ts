import * as z from "zod";
import type { Certainty, Frequency, Impact, ReportedEvent } from "@/lib/calendar/event";
import { readSourceUrl } from "@/lib/calendar/series";
import { readSourceTime } from "@/lib/calendar/source-time";

/**
 * A push of MetaTrader 5's calendar by a script in the terminal: MqlCalendarEvent and MqlCalendarValue, with 64-bit
 * integers as text. Times are local to the trade server, so the push contains the server's offset from UTC.
 */

const integer = z.union([
  z.string().regex(/^-?\d{1,19}$/, "must be a whole number as text"),
  z.int().transform(String),
]);
const small = z.union([
  z.int(),
  z
    .string()
    .regex(/^\d{1,3}$/)
    .transform(Number),
]);

const mt5Event = z.object({
  id: integer,
  name: z.string().min(1).max(300),
  currency: z.string().regex(/^[A-Z]{3}$/, "must be a currency code"),
  importance: small,
  time_mode: small.default(0),
  unit: small.default(0),
  multiplier: small.default(0),
  digits: small.default(0),
  frequency: small.optional(),
  source_url: z.string().max(500).optional(),
});

const mt5Value = z.object({
  id: integer,
  event_id: integer,
  time: z.union([z.int(), z.string()]),
  actual_value: integer.optional(),
  prev_value: integer.optional(),
  revised_prev_value: integer.optional(),
  forecast_value: integer.optional(),
});

export const mt5Push = z.object({
  /** The terminal's trade server, recorded with each change. */
  server: z.string().min(1).max(100),
  /** The offset of the trade server's clock from UTC, in whole quarters of an hour. */
  utc_offset_s: z
    .int()
    .min(-14 * 3600)
    .max(14 * 3600)
    .refine((seconds) => seconds % 900 === 0, "must be whole quarters of an hour"),
  events: z.array(mt5Event).max(5_000),
  values: z.array(mt5Value).max(5_000),
});

const IMPACTS: readonly Impact[] = ["low", "low", "medium", "high"];
/** CALENDAR_TIMEMODE_DATETIME, DATE, NOTIME, TENTATIVE. */
const CERTAINTIES: readonly Certainty[] = ["exact", "all_day", "tentative", "tentative"];

/** CALENDAR_FREQUENCY_NONE, WEEK, MONTH, QUARTER, YEAR, DAY. */
const FREQUENCIES: readonly (Frequency | undefined)[] = [
  undefined,
  "weekly",
  "monthly",
  "quarterly",
  "yearly",
  "daily",
];

export interface ReadPush {
  readonly events: readonly ReportedEvent[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Reads the events of a push. An unreadable value is refused alone; the others are read. */
export function readMt5Push({ utc_offset_s: offsetS, events, values }: z.output<typeof mt5Push>): ReadPush {
  const eventById = new Map(events.map((event) => [event.id, event]));
  const read: ReportedEvent[] = [];
  const refused: { id: string; reason: string }[] = [];
  for (const value of values) {
    const event = eventById.get(value.event_id);
    const serverMs = typeof value.time === "number" ? value.time * 1000 : parseServerTime(value.time);
    if (event === undefined) refused.push({ id: value.id, reason: "its event is not in this push" });
    else if (serverMs === null) refused.push({ id: value.id, reason: "its time cannot be read" });
    else read.push(toEvent(event, value, serverMs - offsetS * 1000, findZone(offsetS)));
  }
  return { events: read, refused };
}

function toEvent(event: z.output<typeof mt5Event>, value: z.output<typeof mt5Value>, timeMs: number, zone: string) {
  const format = (scaled: string | undefined) => formatMt5Value(scaled, event);
  return {
    key: value.id,
    timeMs,
    zone,
    certainty: CERTAINTIES[event.time_mode] ?? "exact",
    currency: event.currency,
    title: event.name,
    impact: IMPACTS[event.importance] ?? "low",
    forecast: format(value.forecast_value) ?? "",
    previous: format(value.prev_value) ?? "",
    revised: format(value.revised_prev_value),
    actual: format(value.actual_value),
    seriesId: event.id,
    ...readAbout(event),
  };
}

function readAbout({ frequency = 0, source_url }: z.output<typeof mt5Event>): Pick<ReportedEvent, "about"> {
  const about = { frequency: FREQUENCIES[frequency], sourceUrl: readSourceUrl(source_url) };
  return about.frequency === undefined && about.sourceUrl === undefined ? {} : { about };
}

function parseServerTime(text: string): number | null {
  return readSourceTime(text, "", { zone: "UTC" })?.timeMs ?? null;
}

/** IANA zone names with an offset exist for whole hours only, and have the opposite sign. */
function findZone(offsetS: number): string {
  const hours = offsetS / 3600;
  if (hours === 0 || !Number.isInteger(hours)) return "UTC";
  return `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}

/** The format of an event's figures, as in MqlCalendarEvent. */
export interface Mt5Format {
  readonly unit: number;
  readonly multiplier: number;
  readonly digits: number;
}

/** The least 64-bit integer: MetaTrader's value for "not set". */
const UNSET = (-(2n ** 63n)).toString();
const SCALE_DIGITS = 6;
/** CALENDAR_MULTIPLIER_NONE, THOUSANDS, MILLIONS, BILLIONS, TRILLIONS. */
const LETTERS = ["", "K", "M", "B", "T"];
const PERCENT_UNIT = 1;

/**
 * Formats a figure: 55200000 with one digit is "55.2". Figures are scaled by a million and may exceed a double, so the
 * arithmetic uses BigInt. Null if the figure is not set.
 */
export function formatMt5Value(scaled: string | undefined, { unit, multiplier, digits }: Mt5Format): string | null {
  if (scaled === undefined || scaled === UNSET) return null;
  const shown = Math.min(digits, SCALE_DIGITS);
  const step = 10n ** BigInt(SCALE_DIGITS - shown);
  const value = BigInt(scaled);
  const size = value < 0n ? -value : value;
  const rounded = ((size + step / 2n) / step).toString().padStart(shown + 1, "0");
  const whole = rounded.slice(0, rounded.length - shown);
  const text = shown === 0 ? whole : `${whole}.${rounded.slice(-shown)}`;
  const sign = value < 0n && /[1-9]/.test(rounded) ? "-" : "";
  return `${sign}${text}${LETTERS[multiplier] ?? ""}${unit === PERCENT_UNIT ? "%" : ""}`;
}
