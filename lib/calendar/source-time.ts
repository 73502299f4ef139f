import type { Certainty } from "@/lib/calendar/event";
import { zonedTimeToUtcMs } from "@/lib/time/civil-time";
import { parseOffset, toDayMs } from "@/lib/time/iso-time";

/** Times as sources write them: local to their own zone unless they contain an offset. */

export interface SourceTime {
  /** UTC milliseconds. */
  readonly timeMs: number;
  readonly certainty: Certainty;
}

interface Notation {
  /** The IANA zone of times without an offset. */
  readonly zone: string;
  /** The year of dates without one. */
  readonly year?: number;
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/**
 * Reads a date and a time of day: "2026-10-14" "08:30", "06-08-2025" "9:00pm", "May 1" "All Day", or both in one text,
 * as ISO 8601 or "2026.10.14 08:30:00". Without a time of day, the time is midnight. Null for anything else.
 */
export function readSourceTime(dateText: string, timeText: string, notation: Notation): SourceTime | null {
  const [dayText = "", clock = timeText] = splitMoment(dateText.trim());
  const day = parseDay(dayText, notation.year);
  if (day === null) return null;
  const time = parseTimeOfDay(clock.trim().toLowerCase());
  if (time === null) return null;
  const { msOfDay, certainty, offsetMs } = time;
  const timeMs =
    offsetMs === null
      ? zonedTimeToUtcMs(notation.zone, day.year, day.month, day.day, msOfDay)
      : Date.UTC(day.year, day.month - 1, day.day) + msOfDay - offsetMs;
  return { timeMs, certainty };
}

function splitMoment(text: string): string[] {
  const match = /^(\d{4}[-./]\d\d[-./]\d\d)[T ](\d.*)$/i.exec(text);
  return match === null ? [text] : [match[1] ?? "", match[2] ?? ""];
}

function parseDay(text: string, defaultYear: number | undefined): { year: number; month: number; day: number } | null {
  const yearFirst = /^(\d{4})[-./](\d\d)[-./](\d\d)$/.exec(text);
  const yearLast = /^(\d\d)-(\d\d)-(\d{4})$/.exec(text);
  const named = /^(?:\w{3},? )?([a-z]{3})[a-z]* (\d{1,2})(?:,? (\d{4}))?$/i.exec(text);
  const [year, month, day] = yearFirst
    ? [Number(yearFirst[1]), Number(yearFirst[2]), Number(yearFirst[3])]
    : yearLast
      ? [Number(yearLast[3]), Number(yearLast[1]), Number(yearLast[2])]
      : [Number(named?.[3] ?? defaultYear), MONTHS.indexOf((named?.[1] ?? "").toLowerCase()) + 1, Number(named?.[2])];
  return toDayMs(year, month, day) === null ? null : { year, month, day };
}

const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(am|pm)?\s*(z|[+-]\d\d:?\d\d)?$/;

function parseTimeOfDay(text: string): { msOfDay: number; certainty: Certainty; offsetMs: number | null } | null {
  if (text === "" || /^(all day|day \d+)$/.test(text)) return { msOfDay: 0, certainty: "all_day", offsetMs: null };
  if (text === "tentative") return { msOfDay: 0, certainty: "tentative", offsetMs: null };
  const match = CLOCK.exec(text);
  if (match === null) return null;
  const [, hourText = "", minute = "", second = "0", half, offset] = match;
  const hour = half === undefined ? Number(hourText) : (Number(hourText) % 12) + (half === "pm" ? 12 : 0);
  if (hour > 23 || Number(minute) > 59 || Number(second) > 59 || (half !== undefined && Number(hourText) > 12))
    return null;
  const msOfDay = ((hour * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  return { msOfDay, certainty: "exact", offsetMs: offset === undefined ? null : parseOffset(offset) };
}
