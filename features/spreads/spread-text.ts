import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/** Formats a spread in pips; a dash for null. */
export function formatPips(pips: number | null, decimals = 2): string {
  return pips === null ? "–" : pips.toFixed(decimals);
}

/** Formats the distance of a spread from its average: "+12 %", "−8 %", "±0 %". A dash without one of them. */
export function formatRelation(current: number | null, average: number | null): string {
  if (current === null || average === null || average === 0) return "–";
  const percent = Math.round((current / average - 1) * 100);
  const sign = percent > 0 ? "+" : percent < 0 ? "−" : "±";
  return `${sign}${Math.abs(percent)} %`;
}

/** Formats the length of a step: "minute", "15 minutes". */
export function formatStep(stepMs: number): string {
  return stepMs === MINUTE_MS ? "minute" : `${stepMs / MINUTE_MS} minutes`;
}

/** Formats when figures begin: "since 00:16" within the last day, else "since 20 Nov". UTC. */
export function formatSince(sinceMs: number, nowMs: number): string {
  if (nowMs - sinceMs < DAY_MS) return `since ${new Date(sinceMs).toISOString().slice(11, 16)}`;
  return `since ${dayMonth.format(sinceMs)}`;
}

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
