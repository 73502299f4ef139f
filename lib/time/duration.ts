import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Formatters of durations in milliseconds. Each documents its rounding. */

interface Parts {
  readonly days: number;
  readonly hours: number;
  readonly minutes: number;
  readonly seconds: number;
}

/** Splits whole seconds, none below 0. */
function split(seconds: number): Parts {
  const rest = Math.max(0, seconds);
  return {
    days: Math.floor(rest / 86_400),
    hours: Math.floor(rest / 3_600) % 24,
    minutes: Math.floor(rest / 60) % 60,
    seconds: rest % 60,
  };
}

const pad = (value: number): string => String(value).padStart(2, "0");

/** The age of a price, rounded down: "8s", "4m 12s", "2h 05m", "3d 4h". A negative age is "0s". */
export function formatAge(ms: number): string {
  const { days, hours, minutes, seconds } = split(Math.floor(ms / 1_000));
  if (days > 0) return `${days}d ${hours}h`;
  if (hours > 0) return `${hours}h ${pad(minutes)}m`;
  return minutes > 0 ? `${minutes}m ${pad(seconds)}s` : `${seconds}s`;
}

/** The time until an event, rounded up: "0m 09s", "12m 09s", "3h 05m", "2d 4h". */
export function formatTimeLeft(ms: number): string {
  const { days, hours, minutes, seconds } = split(Math.ceil(ms / 1_000));
  if (days > 0) return `${days}d ${hours}h`;
  return hours > 0 ? `${hours}h ${pad(minutes)}m` : `${minutes}m ${pad(seconds)}s`;
}

/** A waiting time in its two largest units, rounded down to the minute: "<1m", "45m", "2h 15m", "1d 3h". */
export function formatWait(ms: number): string {
  const { days, hours, minutes } = split(Math.floor(ms / 1_000));
  if (days > 0) return `${days}d ${hours}h`;
  if (hours > 0) return `${hours}h ${minutes}m`;
  return minutes > 0 ? `${minutes}m` : "<1m";
}

/** A running time in its two largest units, rounded down: "0 s", "5 min 2 s", "1 h 0 min", "3 d 4 h". */
export function formatUptime(ms: number): string {
  const { days, hours, minutes, seconds } = split(Math.floor(ms / 1_000));
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours} h ${minutes} min`;
  return minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`;
}

/** A countdown as a clock shows it, rounded up: "14:59", "23:59:59", "6 days 23:59:59". */
export function formatCountdown(ms: number): string {
  const { days, hours, minutes, seconds } = split(Math.ceil(ms / 1_000));
  const clock = `${pad(minutes)}:${pad(seconds)}`;
  if (days > 0) return `${formatUnit(days, "day")} ${pad(hours)}:${clock}`;
  return hours > 0 ? `${pad(hours)}:${clock}` : clock;
}

/** All units of a duration, rounded up to the second: "0s", "1h", "1h 1s", "2d 30m". */
export function formatExactDuration(ms: number): string {
  const { days, hours, minutes, seconds } = split(Math.ceil(ms / 1_000));
  const units = [`${days}d`, `${hours}h`, `${minutes}m`, `${seconds}s`];
  return units.filter((unit) => !/^0\D/.test(unit)).join(" ") || "0s";
}

/** The distance from `nowMs` to `atMs` (UTC milliseconds), rounded to one unit: "5 minutes ago", "in 89 days". */
export function formatRelativeTime(atMs: number, nowMs: number): string {
  const ms = Math.abs(atMs - nowMs);
  if (ms < MINUTE_MS) return atMs > nowMs ? "in under a minute" : "just now";
  return atMs > nowMs ? `in ${formatLargestUnit(ms)}` : `${formatLargestUnit(ms)} ago`;
}

function formatLargestUnit(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  if (minutes < 60) return formatUnit(minutes, "minute");
  const hours = Math.round(ms / HOUR_MS);
  return hours < 48 ? formatUnit(hours, "hour") : formatUnit(Math.round(ms / DAY_MS), "day");
}

function formatUnit(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
