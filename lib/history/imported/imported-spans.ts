/** Spans of time in which everything stored was imported. Times are Unix seconds; the second one is not included. */

export interface Span {
  readonly since: number;
  readonly until: number;
}

/** A piece of time in which something is stored. */
export interface Piece extends Span {
  readonly isImported: boolean;
}

/** What is stored around the pieces: the hour before them and the hour after them, if there are any. */
interface Neighbours {
  readonly before: Span | null;
  readonly after: Span | null;
}

/** Whether one span has all of a piece of time. */
export function isWithin(spans: readonly Span[], { since, until }: Span): boolean {
  return spans.some((span) => span.since <= since && span.until >= until);
}

/**
 * The spans after a part of the time was written again. `pieces` are everything that is now stored in `range`, oldest
 * first. Imported pieces that follow each other form one span, also across time without anything stored.
 */
export function replaceSpans(
  spans: readonly Span[],
  range: Span,
  pieces: readonly Piece[],
  { before, after }: Neighbours,
): Span[] {
  const findAround = (hour: Span | null) => (hour === null ? undefined : spans.find((span) => isWithin([span], hour)));
  const earlier = findAround(before);
  const later = findAround(after);
  const first = before !== null && earlier !== undefined ? [{ since: earlier.since, until: before.until }] : [];
  const last = after !== null && later !== undefined ? [{ since: after.since, until: later.until }] : [];
  const toPiece = (isImported: boolean) => (span: Span) => ({ ...span, isImported });
  const runs: Span[] = [];
  let wasImported = false;
  for (const { since, until, isImported } of [...first.map(toPiece(true)), ...pieces, ...last.map(toPiece(true))]) {
    const run = runs.at(-1);
    if (isImported && wasImported && run !== undefined) runs[runs.length - 1] = { since: run.since, until };
    else if (isImported) runs.push({ since, until });
    wasImported = isImported;
  }
  const others = spans.filter((span) => span !== earlier && span !== later).flatMap((span) => cutOut(span, range));
  return [...others, ...runs].sort((a, b) => a.since - b.since);
}

/** What is left of a span without a part of the time. */
function cutOut({ since, until }: Span, range: Span): Span[] {
  const parts = [
    { since, until: Math.min(until, range.since) },
    { since: Math.max(since, range.until), until },
  ];
  return parts.filter((part) => part.since < part.until);
}
