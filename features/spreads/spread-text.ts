import { formatSpreadPips } from "@/lib/market/price";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/time/units";

/** Formats the spread of a quote in pips, with all its digits; a dash for null. */
export function formatCurrent(pips: number | null): string {
  return pips === null ? "–" : formatSpreadPips(pips);
}

/** Formats a figure of recorded spreads in pips, with one decimal; a dash for null. */
export function formatPips(pips: number | null): string {
  return pips === null ? "–" : pips.toFixed(1);
}

/** Formats a mean of many spreads, which has one more decimal; a dash for null. */
export function formatMean(pips: number | null): string {
  return pips === null ? "–" : pips.toFixed(2);
}

/** Formats the distance of a spread from its average: "+12 %", "−8 %", "±0 %". A dash without one of them. */
export function formatRelation(current: number | null, average: number | null): string {
  if (current === null || average === null || average === 0) return "–";
  const percent = Math.round((current / average - 1) * 100);
  const sign = percent > 0 ? "+" : percent < 0 ? "−" : "±";
  return `${sign}${Math.abs(percent)} %`;
}

/** Formats the length of a step: "minute", "15 minutes", "hour". */
export function formatStep(stepMs: number): string {
  if (stepMs === HOUR_MS) return "hour";
  return stepMs === MINUTE_MS ? "minute" : `${stepMs / MINUTE_MS} minutes`;
}

/** Formats when figures begin: "since 00:16" within the last day, else "since 20 Nov". UTC. */
export function formatSince(sinceMs: number, nowMs: number): string {
  if (nowMs - sinceMs < DAY_MS) return `since ${formatClock(sinceMs)}`;
  return `since ${dayMonth.format(sinceMs)}`;
}

/** Formats a time of the chart in UTC: the time of day, with its date in longer periods. */
export function formatStepTime(timeMs: number, spanMs: number): string {
  return spanMs <= DAY_MS + HOUR_MS ? formatClock(timeMs) : `${dayMonth.format(timeMs)} ${formatClock(timeMs)}`;
}

function formatClock(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(11, 16);
}

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
