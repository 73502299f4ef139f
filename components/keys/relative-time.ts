const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

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
