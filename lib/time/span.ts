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
