/** A stretch of time in UTC milliseconds, half-open: `fromMs` belongs to it, `untilMs` does not. */
export interface Span {
  readonly fromMs: number;
  readonly untilMs: number;
}

/** What is left of a span without a gap: nothing, one piece or two. */
export function cutOut(span: Span, gap: Span): Span[] {
  if (gap.untilMs <= span.fromMs || span.untilMs <= gap.fromMs) return [span];
  const rest = [
    { fromMs: span.fromMs, untilMs: gap.fromMs },
    { fromMs: gap.untilMs, untilMs: span.untilMs },
  ];
  return rest.filter(({ fromMs, untilMs }) => fromMs < untilMs);
}
