import type { TickRange } from "@/lib/history/ticks/tick-history";

/** Whole seconds in a row that have no tick: [fromMs, toMs). */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whole seconds of [fromMs, toMs): those that begin in it. */
export function secondsIn(fromMs: number, toMs: number): number {
  return Math.max(0, Math.ceil(toMs / 1000) - Math.ceil(fromMs / 1000));
}

/** The holes in a range as far as `untilMs`, oldest first. What lies after it has not happened yet, and is none. */
export function gapsIn({ fromMs, toMs, parts }: TickRange, untilMs: number): Gap[] {
  const gaps: Gap[] = [];
  let next = Math.ceil(fromMs / 1000);
  const add = (until: number) => {
    if (next < until) gaps.push({ fromMs: next * 1000, toMs: until * 1000 });
  };
  for (const { hour, from, to } of parts) {
    const start = hour.hourMs / 1000;
    for (let i = from; i < to; i++) {
      const second = start + (hour.ticks.seconds[i] as number);
      add(second);
      next = second + 1;
    }
  }
  add(Math.min(Math.ceil(toMs / 1000), Math.floor(untilMs / 1000)));
  return gaps;
}
