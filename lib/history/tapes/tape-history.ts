import { setImmediate as nextTurn } from "node:timers/promises";
import { type KeptTicks, listKeptNames, toKeptTicks } from "@/lib/history/tapes/kept-ticks";
import { findFirstTick, joinTapes, sliceTape, type Tape } from "@/lib/history/tapes/tape";
import { decodeNewTicks, decodeTape } from "@/lib/history/tapes/tape-block";
import type { Instrument } from "@/lib/market/instrument";
import type { Read } from "@/lib/platform/database/replica";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Time in [fromMs, toMs): UTC milliseconds. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** When the ticks of a symbol were stored. */
export interface KeptTimes {
  /** Times in the range in which they were not, oldest first. */
  readonly notKept: readonly Span[];
  /** When ticks of the symbol were first and last stored; null if they never were. */
  readonly kept: Span | null;
}

/** The stored ticks of a symbol in a range, and what of it is not stored. */
export interface TapeRange extends KeptTimes {
  /** By source, in the order of their names. None is empty. */
  readonly tapes: ReadonlyMap<string, Tape>;
  /** Whether nothing is added to the range any more, unless ticks come very late. */
  readonly isClosed: boolean;
}

export interface KeptRequest extends Span {
  readonly nowMs: number;
}

export interface TapeRequest extends KeptRequest {
  /** The ticks of one source only. */
  readonly source?: string | undefined;
}

/** A tick that comes later than this is not among those of the last minutes. */
const LATE_MS = 10 * MINUTE_MS;
/** An hour is joined after its grace, in the next minute or the one after it. */
const CLOSING_MS = 4 * MINUTE_MS;
/** What was received in so many milliseconds may not be stored yet. */
const STORING_MS = 10 * SECOND_MS;

/** Reads every stored tick of a symbol in a range of some hours. */
export async function readTapes(read: Read, instrument: Instrument, options: TapeRequest): Promise<TapeRange> {
  const { toMs, nowMs } = options;
  return {
    ...(await readKeptTimes(read, instrument, options)),
    tapes: await readSymbolTapes(read, instrument.symbol, options),
    isClosed: Math.ceil(toMs / HOUR_MS) * HOUR_MS + CLOSING_MS <= nowMs,
  };
}

/** Reads when the ticks of an instrument were stored, and in which times of a range they were not. */
export async function readKeptTimes(
  read: Read,
  instrument: Instrument,
  { fromMs, toMs, nowMs }: KeptRequest,
): Promise<KeptTimes> {
  const runs = await readRuns(read, instrument);
  const last = runs.at(-1);
  return {
    notKept: listMissing(runs, { fromMs, toMs: Math.min(toMs, nowMs) }, nowMs - STORING_MS),
    kept: last === undefined ? null : { fromMs: Math.min(...runs.map((run) => run.fromMs)), toMs: last.toMs },
  };
}

/** The symbols and categories of which ticks were ever stored. */
export async function readEverKept(read: Read): Promise<KeptTicks> {
  const { rows } = await read((pool) =>
    pool.query<{ name: string }>("SELECT DISTINCT unnest(kept) AS name FROM tape_run"),
  );
  return toKeptTicks(rows.map(({ name }) => name));
}

/** The stored ticks of a symbol in a range of some hours, by source, in the order of their names. None is empty. */
export async function readSymbolTapes(
  read: Read,
  symbol: string,
  options: Span & Pick<TapeRequest, "source">,
): Promise<ReadonlyMap<string, Tape>> {
  const { fromMs, toMs, source } = options;
  const parts = await readParts(read, symbol, options);
  const tapes = new Map<string, Tape>();
  for (const [name, found] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (source !== undefined && name !== source) continue;
    const whole = joinTapes(found);
    const tape = sliceTape(whole, findFirstTick(whole, fromMs), findFirstTick(whole, toMs));
    if (tape.timesMs.length > 0) tapes.set(name, tape);
    await nextTurn();
  }
  return tapes;
}

/** The times in which ticks of an instrument were stored, oldest first; they may touch and overlap. */
async function readRuns(read: Read, instrument: Instrument): Promise<Span[]> {
  const { rows } = await read((pool) =>
    pool.query<{ since: number; until: number }>(
      "SELECT since::float8 AS since, until::float8 AS until FROM tape_run WHERE kept && $1::text[] ORDER BY until",
      [listKeptNames(instrument)],
    ),
  );
  return rows.map(({ since, until }) => ({ fromMs: since, toMs: until }));
}

/**
 * One statement, because ticks move from one table to the other. What was received last, and is not in parts yet, is read only
 * for ranges that it may be of.
 */
async function readParts(read: Read, symbol: string, { fromMs, toMs, source }: Span & Pick<TapeRequest, "source">) {
  const { rows } = await read((pool) =>
    pool.query<{ hour: number | null; source: string; block: Buffer }>(
      `SELECT hour, source, part, block FROM tape_hour
        WHERE symbol = $1 AND hour >= $2 AND hour < $3 AND ($4::text IS NULL OR source = $4)
       UNION ALL
       SELECT NULL, '', id, block FROM tape_second WHERE $5 > (SELECT max(until) FROM tape_run)
       ORDER BY hour NULLS LAST, part`,
      [symbol, Math.floor(fromMs / HOUR_MS), Math.ceil(toMs / HOUR_MS), source ?? null, toMs + LATE_MS],
    ),
  );
  const parts = new Map<string, Tape[]>();
  const add = (name: string, tape: Tape) => {
    const found = parts.get(name);
    if (found === undefined) parts.set(name, [tape]);
    else found.push(tape);
  };
  for (const row of rows) {
    if (row.hour === null) {
      for (const group of decodeNewTicks(row.block, (each) => each === symbol)) add(group.source, group.tape);
    } else {
      add(row.source, decodeNamed(symbol, row.hour, row));
    }
    await nextTurn();
  }
  return parts;
}

function decodeNamed(symbol: string, hour: number, { source, block }: { source: string; block: Buffer }): Tape {
  try {
    return decodeTape(hour * HOUR_MS, block);
  } catch (error) {
    const name = `${symbol} from ${source}, ${new Date(hour * HOUR_MS).toISOString()}`;
    throw new Error(`The ticks of ${name} cannot be read`, { cause: error });
  }
}

/** What of a range is in no run. The time since `recentMs` is only missing if a run has not begun before it. */
function listMissing(runs: readonly Span[], { fromMs, toMs }: Span, recentMs: number): Span[] {
  const missing: Span[] = [];
  let at = fromMs;
  for (const run of runs.toSorted((a, b) => a.fromMs - b.fromMs)) {
    if (run.toMs <= at) continue;
    if (run.fromMs >= toMs) break;
    if (run.fromMs > at) missing.push({ fromMs: at, toMs: run.fromMs });
    at = run.toMs >= recentMs ? Math.max(run.toMs, toMs) : run.toMs;
  }
  if (at < toMs) missing.push({ fromMs: at, toMs });
  return missing;
}

/** One tick of a range, in the order of the broker's times, then of receipt. */
export interface RangeTick {
  readonly source: string;
  readonly tape: Tape;
  readonly at: number;
}

/** Goes through the ticks of several sources in order. @param isServedOnly whether ticks that were not served are left out */
export function* listTicks(tapes: ReadonlyMap<string, Tape>, isServedOnly: boolean): Generator<RangeTick> {
  const cursors = Array.from(tapes, ([source, tape]) => ({ source, tape, at: -1 }));
  const advance = (cursor: (typeof cursors)[number]) => {
    do cursor.at++;
    while (isServedOnly && cursor.tape.served[cursor.at] === 0);
  };
  for (const cursor of cursors) advance(cursor);
  for (;;) {
    let first: (typeof cursors)[number] | undefined;
    for (const cursor of cursors) {
      if (cursor.at < cursor.tape.timesMs.length && (first === undefined || isBefore(cursor, first))) first = cursor;
    }
    if (first === undefined) return;
    yield { ...first };
    advance(first);
  }
}

function isBefore(one: RangeTick, other: RangeTick): boolean {
  const difference = (one.tape.timesMs[one.at] as number) - (other.tape.timesMs[other.at] as number);
  if (difference !== 0) return difference < 0;
  return (one.tape.receivedMs[one.at] as number) < (other.tape.receivedMs[other.at] as number);
}
