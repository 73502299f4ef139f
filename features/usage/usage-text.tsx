import type { UsageCounts } from "@/lib/access/usage/usage-report";
import { DAY_MS } from "@/lib/time/units";

/** The outcomes of calls, in the order in which they are stacked and listed, with their colors. */
export const OUTCOMES = [
  { key: "answered", label: "Answered", status: "2xx, 304", color: "light-dark(#4a74d0, #7f9fe8)" },
  { key: "refused", label: "Refused", status: "4xx", color: "light-dark(#9a9b90, #6b706c)" },
  { key: "limited", label: "Over a limit", status: "429", color: "light-dark(#d8862b, #f0a04f)" },
  { key: "failed", label: "Failed", status: "5xx", color: "var(--down)" },
] as const satisfies readonly { key: keyof UsageCounts; label: string; status: string; color: string }[];

/** A mark in the color of an outcome, for its name. */
export function OutcomeSwatch({ outcome }: { outcome: (typeof OUTCOMES)[number]["key"] }) {
  const color = OUTCOMES.find(({ key }) => key === outcome)?.color;
  return <span aria-hidden className="mr-1.5 inline-block size-2 rounded-[1px]" style={{ background: color }} />;
}

const dayMonth = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });

/** Formats an hour of the day or a date, UTC. */
export function formatStep(startMs: number, stepMs: number): string {
  return stepMs === DAY_MS ? dayMonth.format(startMs) : new Date(startMs).toISOString().slice(11, 16);
}

/** Formats an hour with its date and end, or a date, UTC. */
export function formatWholeStep(startMs: number, stepMs: number): string {
  if (stepMs === DAY_MS) return dayMonth.format(startMs);
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);
  return `${dayMonth.format(startMs)}, ${clock(startMs)}–${clock(startMs + stepMs)}`;
}
