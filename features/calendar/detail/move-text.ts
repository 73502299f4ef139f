import { AROUND_MINUTES, getMedian, type Move } from "@/lib/calendar/measure-move";

/** Returns the move some minutes after the release, in pips; null if no price is stored. */
export function getMoveAfter({ path, barMinutes }: Move, minutes: number): number | null {
  return path[(AROUND_MINUTES + minutes) / barMinutes] ?? null;
}

/** Writes a move in pips with its sign: "+12.3". */
export function formatMove(pips: number | null): string {
  if (pips === null) return "–";
  const size = Math.abs(pips).toFixed(1);
  return `${pips > 0 ? "+" : pips < 0 ? "−" : ""}${size}`;
}

/**
 * Sums up some moves of one pair: the median distance from the price before the release after 30 minutes, and the
 * medians of ranges and spreads. Null for no move.
 */
export function summariseMoves(moves: readonly Move[]) {
  const ofKnown = (values: readonly (number | null)[]) => getMedian(values.filter((value) => value !== null));
  if (moves.length === 0) return null;
  return {
    after30: ofKnown(moves.map((move) => getMoveAfter(move, AROUND_MINUTES)).map((pips) => pips && Math.abs(pips))),
    rangeBefore: getMedian(moves.map(({ rangeBefore }) => rangeBefore)) ?? 0,
    rangeAfter: getMedian(moves.map(({ rangeAfter }) => rangeAfter)) ?? 0,
    spreadBefore: ofKnown(moves.map(({ spread }) => spread?.before ?? null)),
    spreadWidest: ofKnown(moves.map(({ spread }) => spread?.widest ?? null)),
  };
}

/** Puts a summary in words. */
export function formatSummary(symbol: string, summary: NonNullable<ReturnType<typeof summariseMoves>>): string {
  const { after30, rangeBefore, rangeAfter, spreadBefore, spreadWidest } = summary;
  const write = (pips: number) => pips.toFixed(1);
  const move = after30 === null ? "" : `${symbol} was ${write(after30)} pips away after 30 minutes. `;
  const range = `Its range was ${write(rangeBefore)} pips in the 30 minutes before and ${write(rangeAfter)} after`;
  const spread =
    spreadBefore === null || spreadWidest === null
      ? ""
      : `; its spread went from ${write(spreadBefore)} to ${write(spreadWidest)} pips`;
  return `Medians: ${move}${range}${spread}.`;
}
