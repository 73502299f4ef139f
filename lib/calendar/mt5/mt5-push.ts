import { z } from "zod";
import type { Certainty, Impact, ReportedEvent } from "@/lib/calendar/event";
import { formatMt5Value, type Mt5Format } from "@/lib/calendar/mt5/mt5-value";
import { readSourceTime } from "@/lib/calendar/source-time";

/**
 * What a terminal's script pushes of MetaTrader 5's own calendar: MqlCalendarEvent and MqlCalendarValue as the terminal
 * has them, 64-bit integers as text. Times are the trade server's, so the push says how far that is ahead of UTC.
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
  /** The terminal's trade server, for the history of each row. */
  server: z.string().min(1).max(100),
  /** How far the trade server's clock is ahead of UTC; whole quarters of an hour. */
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

export interface ReadPush {
  readonly events: readonly ReportedEvent[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/** Turns a push into events. A value that makes no sense is refused by itself; the others count. */
export function readMt5Push({ utc_offset_s: offsetS, events, values }: z.output<typeof mt5Push>): ReadPush {
  const eventById = new Map(events.map((event) => [event.id, event]));
  const read: ReportedEvent[] = [];
  const refused: { id: string; reason: string }[] = [];
  for (const value of values) {
    const event = eventById.get(value.event_id);
    const serverMs = typeof value.time === "number" ? value.time * 1000 : serverTime(value.time);
    if (event === undefined) refused.push({ id: value.id, reason: "its event is not in this push" });
    else if (serverMs === null) refused.push({ id: value.id, reason: "its time cannot be read" });
    else read.push({ ...reported(event, value), timeMs: serverMs - offsetS * 1000, zone: zoneOf(offsetS) });
  }
  return { events: read, refused };
}

function reported(event: z.output<typeof mt5Event>, value: z.output<typeof mt5Value>) {
  const format: Mt5Format = event;
  const text = (scaled: string | undefined) => formatMt5Value(scaled, format);
  return {
    ...{ key: value.id, seriesId: event.id, currency: event.currency, title: event.name },
    impact: IMPACTS[event.importance] ?? "low",
    certainty: CERTAINTIES[event.time_mode] ?? "exact",
    forecast: text(value.forecast_value) ?? "",
    previous: text(value.prev_value) ?? "",
    ...{ revised: text(value.revised_prev_value), actual: text(value.actual_value) },
  };
}

function serverTime(text: string): number | null {
  return readSourceTime(text, "", { zone: "UTC" })?.timeMs ?? null;
}

/** IANA has a name for whole hours; it counts them the other way round. */
function zoneOf(offsetS: number): string {
  const hours = offsetS / 3600;
  if (hours === 0 || !Number.isInteger(hours)) return "UTC";
  return `Etc/GMT${hours > 0 ? "-" : "+"}${Math.abs(hours)}`;
}
