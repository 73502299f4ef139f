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
/** Whether ticks that are not in parts yet may be of a range, by the parameter with its end. */
export const MAY_BE_NEW = (to: `$${number}`) => `${to}::float8 + ${LATE_MS} > (SELECT max(until) FROM tape_run)`;
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
  const runs = await readRuns(read, listKeptNames(instrument));
  const last = runs.at(-1);
  return {
    notKept: listMissing(runs, { fromMs, toMs: Math.min(toMs, nowMs) }, nowMs - STORING_MS),
    kept: last === undefined ? null : { fromMs: Math.min(...runs.map((run) => run.fromMs)), toMs: last.toMs },
  };
}

/** A time in which the ticks of some symbols were not stored. */
export interface NotKept extends Span {
  readonly symbols: readonly string[];
}

/** What of a range of several symbols is not stored. */
export interface KeptOfSymbols {
  /** Oldest first. */
  readonly notKept: readonly NotKept[];
  /** Whether ticks of any of the symbols were stored in the range. */
  readonly isAnyKept: boolean;
  /** The time nearest to the range in which ticks of any of them were stored; null if they never were. */
  readonly nearest: Span | null;
}

/** Reads in which times of a range the ticks of several instruments were not stored, with one query. */
export async function readKeptOfSymbols(
  read: Read,
  instruments: readonly Instrument[],
  { fromMs, toMs, nowMs }: KeptRequest,
): Promise<KeptOfSymbols> {
  const runs = await readRuns(read, [...new Set(instruments.flatMap(listKeptNames))]);
  const end = Math.min(toMs, nowMs);
  const bySpan = new Map<string, NotKept & { readonly symbols: string[] }>();
  let isAnyKept = false;
  for (const instrument of instruments) {
    const own = runs.filter(({ kept }) => toKeptTicks(kept).has(instrument));
    const missing = listMissing(own, { fromMs, toMs: end }, nowMs - STORING_MS);
    const isWholeMissing = missing[0]?.fromMs === fromMs && missing[0].toMs === end;
    if (own.length > 0 && !isWholeMissing) isAnyKept = true;
    for (const span of missing) {
      const name = `${span.fromMs}-${span.toMs}`;
      const known = bySpan.get(name);
      if (known === undefined) bySpan.set(name, { ...span, symbols: [instrument.symbol] });
      else known.symbols.push(instrument.symbol);
    }
  }
  return {
    notKept: [...bySpan.values()].sort((a, b) => a.fromMs - b.fromMs || a.toMs - b.toMs),
    isAnyKept,
    nearest: findNearest(runs, { fromMs, toMs }),
  };
}

/** Until when ticks of any of some instruments are stored, UTC milliseconds; null if they never were. */
export async function readKeptUntil(read: Read, instruments: readonly Instrument[]): Promise<number | null> {
  const runs = await readRuns(read, [...new Set(instruments.flatMap(listKeptNames))]);
  return runs.at(-1)?.toMs ?? null;
}

/** The run nearest to a range, with those that it touches. */
function findNearest(runs: readonly Span[], { fromMs, toMs }: Span): Span | null {
  let nearest: Span | null = null;
  const joined: Span[] = [];
  for (const run of runs.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1);
    if (last === undefined || run.fromMs > last.toMs) joined.push(run);
    else joined[joined.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, run.toMs) };
  }
  const measure = (span: Span) => Math.max(0, span.fromMs - toMs, fromMs - span.toMs);
  for (const span of joined) if (nearest === null || measure(span) < measure(nearest)) nearest = span;
  return nearest;
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

interface Run extends Span {
  readonly kept: readonly string[];
}

/** The times in which ticks of any of some names were stored, by their ends; they may touch and overlap. */
async function readRuns(read: Read, names: readonly string[]): Promise<Run[]> {
  const { rows } = await read((pool) =>
    pool.query<{ since: number; until: number; kept: string[] }>(
      "SELECT since::float8 AS since, until::float8 AS until, kept FROM tape_run WHERE kept && $1::text[] ORDER BY until",
      [names],
    ),
  );
  return rows.map(({ since, until, kept }) => ({ fromMs: since, toMs: until, kept }));
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
       SELECT NULL, '', id, block FROM tape_second WHERE ${MAY_BE_NEW("$5")}
       ORDER BY hour NULLS LAST, part`,
      [symbol, Math.floor(fromMs / HOUR_MS), Math.ceil(toMs / HOUR_MS), source ?? null, toMs],
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

/** Decodes a stored tape. Throws an Error that names a damaged one. */
export function decodeNamed(symbol: string, hour: number, { source, block }: { source: string; block: Buffer }): Tape {
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
