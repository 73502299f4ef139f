/** Lengths of time in milliseconds. A day is 24 hours: civil days of other lengths are in `lib/time/civil-time`. */

export const SECOND_MS = 1_000;
export const MINUTE_MS = 60_000;
export const QUARTER_HOUR_MS = 900_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;
export const WEEK_MS = 604_800_000;

/** A span of time in UTC milliseconds, half-open: it includes `fromMs` and excludes `untilMs`. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** The parts of a span outside a gap: none, one or two. */
export function cutOut(span: Span, gap: Span): Span[] {
  if (gap.untilMs <= span.fromMs || span.untilMs <= gap.fromMs) return [span];
  const rest = [
    { fromMs: span.fromMs, untilMs: gap.fromMs },
    { fromMs: gap.untilMs, untilMs: span.untilMs },
  ];
  return rest.filter(({ fromMs, untilMs }) => fromMs < untilMs);
}
