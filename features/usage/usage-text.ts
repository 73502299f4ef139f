import type { UsageCounts } from "@/lib/access/usage/usage-report";
import { DAY_MS } from "@/lib/time/units";

/** What became of calls, in the order in which they are stacked and listed. */
export const outcomes = [
  { key: "answered", label: "Answered", status: "2xx, 304" },
  { key: "refused", label: "Refused", status: "4xx" },
  { key: "limited", label: "Over a limit", status: "429" },
  { key: "failed", label: "Failed", status: "5xx" },
] as const satisfies readonly { key: keyof UsageCounts; label: string; status: string }[];

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** An hour of the day or a date, UTC. */
export function stepText(startMs: number, stepMs: number): string {
  return stepMs === DAY_MS ? dayMonth.format(startMs) : new Date(startMs).toISOString().slice(11, 16);
}

/** The same where it stands alone: an hour with its date and its end. */
export function wholeStepText(startMs: number, stepMs: number): string {
  if (stepMs === DAY_MS) return dayMonth.format(startMs);
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  return `${dayMonth.format(startMs)}, ${clock(startMs)}–${clock(startMs + stepMs)}`;
}
