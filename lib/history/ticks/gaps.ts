import type { TickRange } from "@/lib/history/ticks/tick-history";

/** Consecutive seconds without a tick: [fromMs, toMs). */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How many seconds begin in [fromMs, toMs). */
export function countSeconds(fromMs: number, toMs: number): number {
  return Math.max(0, Math.ceil(toMs / 1000) - Math.ceil(fromMs / 1000));
}

/** The gaps in a range, oldest first. Time that has not been recorded yet is not a gap. */
export function findGaps({ fromMs, knownUntilMs, parts }: TickRange): Gap[] {
  const gaps: Gap[] = [];
  let next = Math.ceil(fromMs / 1000);
  const addGap = (until: number) => {
    if (next < until) gaps.push({ fromMs: next * 1000, toMs: until * 1000 });
  };
  for (const { hour, from, to } of parts) {
    const start = hour.hourMs / 1000;
    for (let i = from; i < to; i++) {
      const second = start + (hour.ticks.seconds[i] as number);
      addGap(second);
      next = second + 1;
    }
  }
  addGap(Math.ceil(knownUntilMs / 1000));
  return gaps;
}
