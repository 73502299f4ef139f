import * as z from "zod";
import {
  SESSION_NAMES,
  type SessionHours,
  type SessionName,
  USUAL_SESSION_HOURS,
} from "@/lib/market/sessions/session-hours";
import { CITY_HOLIDAYS, type SessionsConfig } from "@/lib/market/sessions/sessions";
import { isZone } from "@/lib/time/zone-offset";

/** Sessions as the operator sets them; anything that is not set has its usual value. */

const HOURS = "must be like sydney=08:00-17:00 Australia/Sydney, separated by commas";
const HOLIDAYS = "must be like london=2029-01-01 2029-03-30, separated by commas";
const NOT_A_DATE = "names a date that does not exist";

/** "sydney=08:00-17:00 Australia/Sydney,london=…" */
export const sessionHoursSetting = z.string().transform((text, context): SessionsConfig["hours"] => {
  const hours = { ...USUAL_SESSION_HOURS };
  for (const entry of readEntries(text)) {
    const read = /^(\w+)=(\d\d):([0-5]\d)-(\d\d):([0-5]\d) +(\S+)$/.exec(entry);
    const [, name = "", fromHour, fromMinute, toHour, toMinute, zone = ""] = read ?? [];
    const opensAtMinute = Number(fromHour) * 60 + Number(fromMinute);
    const closesAtMinute = Number(toHour) * 60 + Number(toMinute);
    const isInOrder = opensAtMinute < closesAtMinute && closesAtMinute <= 24 * 60;
    if (!isSession(name) || !isInOrder || !isZone(zone)) {
      context.addIssue({ code: "custom", message: `${HOURS}; ${JSON.stringify(entry)} is not` });
      return z.NEVER;
    }
    hours[name] = { zone, opensAtMinute, closesAtMinute } satisfies SessionHours;
  }
  return hours;
});

/** "london=2029-01-01 2029-03-30,tokyo=…": the dates of a city and a year replace all built-in ones of that year. */
export const sessionHolidaysSetting = z.string().transform((text, context): SessionsConfig["holidays"] => {
  const holidays = { ...CITY_HOLIDAYS };
  for (const entry of readEntries(text)) {
    const read = /^(\w+)=(\d{4}-\d\d-\d\d(?: +\d{4}-\d\d-\d\d)*)$/.exec(entry);
    const [, name = "", list = ""] = read ?? [];
    if (!isSession(name)) {
      context.addIssue({ code: "custom", message: `${HOLIDAYS}; ${JSON.stringify(entry)} is not` });
      return z.NEVER;
    }
    const dates = list.split(/ +/);
    if (!dates.every((date) => z.iso.date().safeParse(date).success)) {
      context.addIssue({ code: "custom", message: `${NOT_A_DATE}: ${JSON.stringify(entry)}` });
      return z.NEVER;
    }
    const years = new Set(dates.map((date) => date.slice(0, 4)));
    const listDays = (year: string) => dates.filter((date) => date.startsWith(year)).map((date) => date.slice(5));
    const given = Array.from(years, (year) => [year, listDays(year).join(" ")] as const);
    holidays[name] = { ...holidays[name], ...Object.fromEntries(given) };
  }
  return holidays;
});

function readEntries(text: string): string[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter(Boolean);
}

function isSession(name: string): name is SessionName {
  return SESSION_NAMES.some((known) => known === name);
}
