import { toCivilTime } from "@/lib/time/civil-time";

const WEEKDAY = new Intl.DateTimeFormat("en-GB", { weekday: "short", timeZone: "UTC" });

/** A moment of the next days on a zone's clock: "13:30", or "Mon 13:30" on another day than now. UTC milliseconds. */
export function formatWhen(atMs: number, nowMs: number, zone: string): string {
  const [at, now] = [toCivilTime(zone, atMs), toCivilTime(zone, nowMs)];
  const time = new Date(at.msOfDay).toISOString().slice(11, 16);
  if (at.day === now.day && at.month === now.month) return time;
  return `${WEEKDAY.format(Date.UTC(at.year, at.month - 1, at.day))} ${time}`;
}
