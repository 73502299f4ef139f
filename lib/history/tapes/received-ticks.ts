import { setImmediate as nextTurn } from "node:timers/promises";
import { allocateTape, joinTapes, type Tape } from "@/lib/history/tapes/tape";
import { decodeNewTicks } from "@/lib/history/tapes/tape-block";
import { decodeNamed, MAY_BE_NEW } from "@/lib/history/tapes/tape-history";
import type { Read } from "@/lib/platform/database/replica";
import { HOUR_MS, SECOND_MS } from "@/lib/time/units";

/** The ticks of a symbol and source in the order of their receipt. */
export interface ReceivedTicks {
  readonly symbol: string;
  readonly source: string;
  /** None is before the one that it follows by its time of receipt. */
  readonly tape: Tape;
}

/** Time of receipt in [fromMs, toMs): UTC milliseconds. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** No tick is dated further ahead of its receipt; see intake.ts. */
const AHEAD_MS = SECOND_MS;
/** Ticks that a source delivers after a weekend are found. */
const MAX_LATE_HOURS = 96;

/**
 * Reads every tick of some symbols that was received in a span, by symbol in the given order and by source.
 *
 * Tapes are stored by the hours of the brokers' times. In each of them the later tick was received later, so that hours
 * are read back to the first one with a tick that was received before the span.
 */
export async function readReceivedTicks(
  read: Read,
  symbols: readonly string[],
  span: Span,
): Promise<readonly ReceivedTicks[]> {
  const parts = await readParts(read, symbols, span);
  const found: ReceivedTicks[] = [];
  for (const symbol of symbols) {
    const bySource = [...(parts.get(symbol) ?? [])].sort(([a], [b]) => (a < b ? -1 : 1));
    for (const [source, { hour, tapes }] of bySource) {
      const earlier = await readEarlier(read, { symbol, source, hour, tape: joinTapes(tapes) }, span);
      const tape = selectReceived(joinTapes([...earlier, ...tapes]), span);
      if (tape.timesMs.length > 0) found.push({ symbol, source, tape });
      await nextTurn();
    }
  }
  return found;
}

/** What was read of a source: tapes, oldest first, from an hour on, in Unix hours. */
interface Parts {
  hour: number;
  readonly tapes: Tape[];
}

/**
 * One statement, because ticks move from one table to the other. Of the hours before the span it reads the last one of
 * each source.
 */
async function readParts(read: Read, symbols: readonly string[], { fromMs, toMs }: Span) {
  const first = Math.floor(fromMs / HOUR_MS);
  const { rows } = await read((pool) =>
    pool.query<{ symbol: string | null; source: string; hour: number; block: Buffer }>(
      `SELECT symbol, source, hour, part, block FROM tape_hour
        WHERE symbol = ANY ($1) AND hour BETWEEN $2 AND $3
       UNION ALL
       SELECT symbol, source, hour, part, block FROM tape_hour
         JOIN (SELECT symbol, source, max(hour) AS hour FROM tape_hour
                WHERE symbol = ANY ($1) AND hour >= $2::int4 - ${MAX_LATE_HOURS} AND hour < $2
                GROUP BY symbol, source) AS before USING (symbol, source, hour)
       UNION ALL
       SELECT NULL, '', $3::int4, id, block FROM tape_second WHERE ${MAY_BE_NEW("$4")}
       ORDER BY hour, symbol NULLS LAST, part`,
      [symbols, first, Math.floor((toMs + AHEAD_MS) / HOUR_MS), toMs],
    ),
  );
  const wanted = new Set(symbols);
  const parts = new Map<string, Map<string, Parts>>();
  const add = (symbol: string, source: string, hour: number, tape: Tape) => {
    let bySource = parts.get(symbol);
    if (bySource === undefined) parts.set(symbol, (bySource = new Map<string, Parts>()));
    const known = bySource.get(source);
    if (known === undefined) bySource.set(source, { hour, tapes: [tape] });
    else known.tapes.push(tape);
  };
  for (const { symbol, source, hour, block } of rows) {
    if (symbol !== null) add(symbol, source, hour, decodeNamed(symbol, hour, { source, block }));
    else {
      for (const group of decodeNewTicks(block, (each) => wanted.has(each)))
        add(group.symbol, group.source, group.hourMs / HOUR_MS, group.tape);
    }
    await nextTurn();
  }
  return parts;
}

interface Begun {
  readonly symbol: string;
  readonly source: string;
  readonly hour: number;
  readonly tape: Tape;
}

/** The hours before, while all ticks of the one after were received in the span or later. Oldest first. */
async function readEarlier(
  read: Read,
  { symbol, source, hour, tape }: Begun,
  { fromMs }: Pick<Span, "fromMs">,
): Promise<Tape[]> {
  const earlier: Tape[] = [];
  let before = hour;
  for (let first = tape.receivedMs[0] ?? Infinity; first >= fromMs;) {
    const { rows } = await read((pool) =>
      pool.query<{ hour: number; block: Buffer }>(
        `SELECT hour, block FROM tape_hour
          WHERE symbol = $1 AND source = $2 AND hour = (SELECT max(hour) FROM tape_hour
             WHERE symbol = $1 AND source = $2 AND hour < $3 AND hour >= $4) ORDER BY part`,
        [symbol, source, before, Math.floor(fromMs / HOUR_MS) - MAX_LATE_HOURS],
      ),
    );
    const [row] = rows;
    if (row === undefined) break;
    before = row.hour;
    const joined = joinTapes(rows.map(({ block }) => decodeNamed(symbol, row.hour, { source, block })));
    earlier.unshift(joined);
    first = joined.receivedMs[0] ?? Infinity;
    await nextTurn();
  }
  return earlier;
}

/** A copy of the ticks that were received in a span, in the order of their receipt. */
function selectReceived(tape: Tape, { fromMs, toMs }: Span): Tape {
  const { digits, receivedMs } = tape;
  const at: number[] = [];
  let isInOrder = true;
  let before = -Infinity;
  for (let i = 0; i < receivedMs.length; i++) {
    const atMs = receivedMs[i] as number;
    if (atMs < fromMs || atMs >= toMs) continue;
    if (atMs < before) isInOrder = false;
    before = atMs;
    at.push(i);
  }
  // A clock that was set back.
  if (!isInOrder) at.sort((a, b) => (receivedMs[a] as number) - (receivedMs[b] as number) || a - b);
  const selected = allocateTape(digits, at.length);
  for (const column of ["timesMs", "bids", "asks", "receivedMs", "served"] as const) {
    const [from, to] = [tape[column], selected[column]];
    for (let i = 0; i < at.length; i++) to[i] = from[at[i] as number] as number;
  }
  return selected;
}
