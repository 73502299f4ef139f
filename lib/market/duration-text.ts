import { MINUTE_MS } from "@/lib/time/units";

const HOUR_MINUTES = 60;
const DAY_MINUTES = 24 * HOUR_MINUTES;

/** A time to wait in its two largest units, what is left over dropped: "1d 3h", "2h 15m", "45m"; "<1m" under a minute. */
export function durationText(durationMs: number): string {
  const minutes = Math.floor(durationMs / MINUTE_MS);
  if (minutes < 1) return "<1m";
  if (minutes < HOUR_MINUTES) return `${minutes}m`;
  const hours = Math.floor(minutes / HOUR_MINUTES);
  if (minutes < DAY_MINUTES) return `${hours}h ${minutes % HOUR_MINUTES}m`;
  return `${Math.floor(minutes / DAY_MINUTES)}d ${hours % 24}h`;
}
