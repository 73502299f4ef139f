const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

function span(ms: number): string {
  const [count, unit] =
    ms < HOUR_MS
      ? [Math.floor(ms / MINUTE_MS), "minute"]
      : ms < 2 * DAY_MS
        ? [Math.floor(ms / HOUR_MS), "hour"]
        : [Math.floor(ms / DAY_MS), "day"];
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** How far a moment is from another, in words: "5 minutes ago", "in 89 days". Both in UTC milliseconds. */
export function relativeTime(atMs: number, nowMs: number): string {
  const ms = atMs - nowMs;
  if (Math.abs(ms) < MINUTE_MS) return ms > 0 ? "in under a minute" : "just now";
  return ms > 0 ? `in ${span(ms)}` : `${span(-ms)} ago`;
}
