import { MINUTES_PER_HOUR } from "@/lib/history/hour-columns";
import { decodeMinutes } from "@/lib/history/spreads/minutes-codec";
import type { SourceSteps, StepMinutes } from "@/lib/history/spreads/spread-history";
import { rollUpMinutes } from "@/lib/history/spreads/spread-hour";
import { countMinutesBefore } from "@/lib/history/spreads/spread-period";
import type { Histogram } from "@/lib/history/spreads/spread-rollup";
import type { StoredHour } from "@/lib/history/spreads/spread-rows";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

type Step = SourceSteps["steps"][number];

/** The steps of stored hours by source. Of an hour without minutes there is one step, its roll-up. */
export function toStoredSteps(
  stored: readonly StoredHour[],
  startMs: number,
  stepMinutes: StepMinutes,
): ReadonlyMap<string, readonly Step[]> {
  const bySource = new Map<string, Step[]>();
  for (const { source, hourMs, rollup, minutes } of stored) {
    if (hourMs + HOUR_MS <= startMs || rollup.n === 0) continue;
    const isWhole = minutes === null || (hourMs >= startMs && stepMinutes === MINUTES_PER_HOUR);
    const steps = isWhole
      ? [{ startMs: hourMs, rollup }]
      : toSteps(hourMs, decodeMinutes(minutes), startMs, stepMinutes);
    const before = bySource.get(source);
    if (before === undefined) bySource.set(source, steps);
    else before.push(...steps);
  }
  return bySource;
}

/** The steps of one hour, from the start of the period on. */
export function toSteps(
  hourMs: number,
  minutes: readonly Histogram[],
  startMs: number,
  stepMinutes: StepMinutes,
): Step[] {
  const before = countMinutesBefore(startMs, hourMs);
  const steps: Step[] = [];
  for (let first = 0; first < minutes.length; first += stepMinutes) {
    const rollup = rollUpMinutes(minutes.slice(Math.max(first, before), first + stepMinutes));
    if (rollup.n > 0) steps.push({ startMs: hourMs + first * MINUTE_MS, rollup });
  }
  return steps;
}
