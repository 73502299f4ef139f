/** How far the batches of one run of a terminal's program were stored. */
export interface BatchProgress {
  readonly lastSeq: number;
  /** Ranges [from, to] before `lastSeq` that never came, oldest first. */
  readonly missing: readonly (readonly [number, number])[];
}

interface Placement {
  /** Whether this batch was stored before. */
  readonly isRepeated: boolean;
  /** How many batches before this one have not come. */
  readonly skipped: number;
  /** The state once this batch is stored. */
  readonly after: BatchProgress;
}

export const NO_BATCHES: BatchProgress = { lastSeq: 0, missing: [] };

/** Older gaps are forgotten: their batches then count as stored. */
const MAX_GAPS = 100;

/** Decides whether a batch is new. A batch of an earlier gap is new too, because nobody has acknowledged it. */
export function placeBatch({ lastSeq, missing }: BatchProgress, seq: number): Placement {
  if (seq > lastSeq) {
    const skipped = seq - lastSeq - 1;
    const gaps = skipped === 0 ? missing : [...missing, [lastSeq + 1, seq - 1] as const].slice(-MAX_GAPS);
    return { isRepeated: false, skipped, after: { lastSeq: seq, missing: gaps } };
  }
  const isMissing = missing.some(([from, to]) => seq >= from && seq <= to);
  if (!isMissing) return { isRepeated: true, skipped: 0, after: { lastSeq, missing } };
  const left = missing.flatMap(([from, to]) => {
    if (seq < from || seq > to) return [[from, to] as const];
    return [[from, seq - 1] as const, [seq + 1, to] as const].filter(([first, last]) => first <= last);
  });
  return { isRepeated: false, skipped: 0, after: { lastSeq, missing: left.slice(-MAX_GAPS) } };
}
