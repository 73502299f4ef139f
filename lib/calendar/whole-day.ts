import type { CalendarEvent } from "@/lib/calendar/event";
import { toCivilTime } from "@/lib/time/civil-time";

/**
 * Returns the day of an event without an hour: an all-day event, or a tentative one that is stored at midnight. Midnight
 * in the source's zone stands for that date. Some sources give the hour at which the day begins in its own country;
 * the date is then the country's. Null for an event with an hour.
 */
export function getWholeDay({
  certainty,
  zone,
  timeMs,
  currency,
}: Pick<CalendarEvent, "certainty" | "zone" | "timeMs" | "currency">): Day | null {
  if (certainty === "exact") return null;
  const { msOfDay, ...date } = toCivilTime(zone, timeMs);
  if (msOfDay === 0) return toDay(date);
  return certainty === "all_day" ? toDay(toCivilTime(CURRENCY_ZONES[currency] ?? zone, timeMs)) : null;
}

interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

function toDay({ year, month, day }: Day): Day {
  return { year, month, day };
}

/** The IANA zone of the city whose holidays a currency's calendar lists. */
const CURRENCY_ZONES: Readonly<Record<string, string>> = {
  AUD: "Australia/Sydney",
  BRL: "America/Sao_Paulo",
  CAD: "America/Toronto",
  CHF: "Europe/Zurich",
  CNH: "Asia/Shanghai",
  CNY: "Asia/Shanghai",
  CZK: "Europe/Prague",
  DKK: "Europe/Copenhagen",
  EUR: "Europe/Berlin",
  GBP: "Europe/London",
  HKD: "Asia/Hong_Kong",
  HUF: "Europe/Budapest",
  ILS: "Asia/Jerusalem",
  INR: "Asia/Kolkata",
  JPY: "Asia/Tokyo",
  KRW: "Asia/Seoul",
  MXN: "America/Mexico_City",
  NOK: "Europe/Oslo",
  NZD: "Pacific/Auckland",
  PLN: "Europe/Warsaw",
  SEK: "Europe/Stockholm",
  SGD: "Asia/Singapore",
  THB: "Asia/Bangkok",
  TRY: "Europe/Istanbul",
  USD: "America/New_York",
  ZAR: "Africa/Johannesburg",
};
