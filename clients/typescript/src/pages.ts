/** Pages of answers as one sequence. The next page is read when its first row is taken. */

/** A moment: a Date, Unix milliseconds, or ISO 8601. */
export type Time = Date | number | string;

const HOUR_MS = 60 * 60 * 1_000;

export const toMs = (time: Time): number => (typeof time === "number" ? time : new Date(time).getTime());
export const toIso = (time: Time): string => new Date(time).toISOString();

export interface TimePage<Row> {
  readonly rows: readonly Row[];
  /** Where the next page begins; null after the last; undefined if the server does not say. */
  readonly nextFrom: string | null | undefined;
}

/**
 * Rows by the time at which they begin, oldest first. Where the server does not say where the next page begins, it is
 * right after the last row, and a page that is not full is the last.
 */
export async function* followTime<Row extends { readonly time: string }>(
  from: Time,
  limit: number,
  read: (from: string) => Promise<TimePage<Row>>,
): AsyncGenerator<Row, void, undefined> {
  let start = toIso(from);
  for (;;) {
    const { rows, nextFrom } = await read(start);
    yield* rows;
    const last = rows.at(-1);
    const isLast = nextFrom === undefined ? rows.length < limit : nextFrom === null;
    if (isLast) return;
    const next = nextFrom ?? (last === undefined ? null : toIso(toMs(last.time) + 1));
    // A page that does not lead on would be read for ever.
    if (next === null || toMs(next) <= toMs(start)) return;
    start = next;
  }
}

interface ListPage<Row> {
  readonly rows: readonly Row[];
  readonly hasMore: boolean;
}

/** Rows of a list with offset and limit. */
export async function* followOffset<Row>(
  limit: number,
  read: (offset: number) => Promise<ListPage<Row>>,
): AsyncGenerator<Row, void, undefined> {
  for (let offset = 0; ; offset += limit) {
    const { rows, hasMore } = await read(offset);
    yield* rows;
    if (!hasMore || rows.length === 0) return;
  }
}

/** Splits a range at whole hours: the server has their answers ready, and takes no longer ranges of ticks. */
export function* splitHours(from: Time, to: Time): Generator<{ from: string; to: string }, void, undefined> {
  const endMs = toMs(to);
  for (let startMs = toMs(from); startMs < endMs;) {
    const untilMs = Math.min(endMs, (Math.floor(startMs / HOUR_MS) + 1) * HOUR_MS);
    yield { from: toIso(startMs), to: toIso(untilMs) };
    startMs = untilMs;
  }
}
