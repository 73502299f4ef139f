import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

function span(ms: number): string {
  const minutes = Math.round(ms / MINUTE_MS);
  const hours = Math.round(ms / HOUR_MS);
  const [count, unit] =
    minutes < 60 ? [minutes, "minute"] : hours < 48 ? [hours, "hour"] : [Math.round(ms / DAY_MS), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** How far a moment is from another, in words: "5 minutes ago", "in 89 days". Both in UTC milliseconds. */
export function relativeTime(atMs: number, nowMs: number): string {
  const ms = atMs - nowMs;
  if (Math.abs(ms) < MINUTE_MS) return ms > 0 ? "in under a minute" : "just now";
  return ms > 0 ? `in ${span(ms)}` : `${span(-ms)} ago`;
}

/** A span of time as a clock counts it down: "14:59", "23:59:59", "6 days 23:59:59". Milliseconds. */
export function clockTime(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const two = (count: number) => String(count).padStart(2, "0");
  const [hours, days] = [Math.floor(seconds / 3_600) % 24, Math.floor(seconds / 86_400)];
  const clock = `${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  if (seconds < 3_600) return clock;
  return `${days === 0 ? "" : `${days} day${days === 1 ? "" : "s"} `}${two(hours)}:${clock}`;
}
