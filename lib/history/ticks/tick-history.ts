import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import { type HourStore, withinTransaction } from "@/lib/history/hour-store";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import { type Cause, proveHours } from "@/lib/history/proof/hour-proofs";
import { decodeHour, encodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { createReadyHour, findFirstAt, type ReadyHour, ReadyHours } from "@/lib/history/ticks/ready-hours";
import { joinMaybeAsync, mapMaybeAsync } from "@/lib/platform/timing/slices";
import { HOUR_MS } from "@/lib/time/units";

export interface TickRange {
  readonly symbol: string;
  readonly fromMs: number;
  readonly toMs: number;
  /** The end of the recorded part of the range: `toMs`, or less if that is in the future. */
  readonly knownUntilMs: number;
  readonly count: number;
  /** The hours with ticks of the range, oldest first, with the indexes [from, to) of their ticks. */
  readonly parts: readonly TickPart[];
}

interface TickPart {
  readonly hour: ReadyHour;
  readonly from: number;
  readonly to: number;
}

interface Options {
  readonly openHours: Pick<OpenHoursKeeper, "getHours" | "getRevision" | "completeUntilMs">;
  /** Reads one closed hour from the store; null if none was recorded. */
  readonly readHour: (symbol: string, hourMs: number) => Promise<HourTicks | null>;
  /** Bytes of closed hours that are cached. */
  readonly maxBytes?: number;
}

/** Some 200 hours of a busy pair, or thousands of quiet ones. */
const MAX_BYTES = 64 * 1024 * 1024;

type MaybeHour = ReadyHour | null;

/**
 * Recorded ticks, at most one per second. Closed hours come from the store and are cached as ready bytes; open hours come
 * from the recorder's columns.
 */
export class TickHistory {
  readonly #options: Options;
  readonly #closed: ReadyHours;
  readonly #open = new WeakMap<HourColumns, { readonly revision: number; readonly hour: ReadyHour }>();
  /** Reads under way: callers that need the same hour share the read. */
  readonly #reading = new Map<string, Promise<MaybeHour>>();
  /** Raised when a read under way becomes out of date. */
  #epoch = 0;

  constructor(options: Options) {
    this.#options = options;
    this.#closed = new ReadyHours(options.maxBytes ?? MAX_BYTES);
  }

  /** The ticks of one symbol in [fromMs, toMs), oldest first: synchronous when they are in memory. */
  readRange(symbol: string, fromMs: number, toMs: number): TickRange | Promise<TickRange> {
    const first = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
    const hours: (MaybeHour | Promise<MaybeHour>)[] = [];
    for (let hourMs = first; hourMs < toMs; hourMs += HOUR_MS) hours.push(this.#getHour(symbol, hourMs));
    return mapMaybeAsync(joinMaybeAsync(hours), (ready) => this.#cut(symbol, fromMs, toMs, ready));
  }

  /** Drops cached hours, because closed hours were written again or removed. */
  invalidate(): void {
    this.#epoch++;
    this.#closed.clear();
    this.#reading.clear();
  }

  /** The gzip of a closed hour's whole answer, synchronous from the second call on; null for an open hour. */
  gzip(hour: ReadyHour): Uint8Array | Promise<Uint8Array> | null {
    return this.#closed.gzip(hour);
  }

  #getHour(symbol: string, hourMs: number): MaybeHour | Promise<MaybeHour> {
    const open = this.#options.openHours.getHours(symbol).find((hour) => hour.hourMs === hourMs);
    if (open !== undefined) return this.#getOpenHour(open);
    return this.#closed.get(symbol, hourMs) ?? this.#readClosedHour(symbol, hourMs);
  }

  /** An open hour as ready bytes, updated whenever it has changed. */
  #getOpenHour(columns: HourColumns): ReadyHour {
    const cached = this.#open.get(columns);
    const revision = this.#options.openHours.getRevision(columns.symbol);
    if (cached?.revision === revision) return cached.hour;
    const hour = createReadyHour(columns.symbol, columns.hourMs, toTicks(columns));
    this.#open.set(columns, { revision, hour });
    return hour;
  }

  #readClosedHour(symbol: string, hourMs: number): Promise<MaybeHour> {
    const key = `${symbol} ${hourMs}`;
    const epoch = this.#epoch;
    const underWay = this.#reading.get(key);
    if (underWay !== undefined) return underWay;
    const started = this.#options
      .readHour(symbol, hourMs)
      .then((ticks) => {
        if (ticks === null) return null;
        const hour = createReadyHour(symbol, hourMs, ticks);
        if (epoch === this.#epoch) this.#closed.add(hour);
        return hour;
      })
      .finally(() => {
        if (this.#reading.get(key) === started) this.#reading.delete(key);
      });
    this.#reading.set(key, started);
    return started;
  }

  #cut(symbol: string, fromMs: number, toMs: number, hours: readonly MaybeHour[]): TickRange {
    const parts: TickPart[] = [];
    let count = 0;
    for (const hour of hours) {
      if (hour === null) continue;
      const from = findFirstAt(hour.ticks, Math.ceil((fromMs - hour.hourMs) / 1000));
      const to = findFirstAt(hour.ticks, Math.ceil((toMs - hour.hourMs) / 1000));
      if (from === to) continue;
      parts.push({ hour, from, to });
      count += to - from;
    }
    const knownUntilMs = Math.max(fromMs, Math.min(toMs, this.#options.openHours.completeUntilMs));
    return { symbol, fromMs, toMs, knownUntilMs, count, parts };
  }
}

/** Hours encoded before the event loop continues: about two milliseconds' work. */
const HOURS_PER_TURN = 16;

/** Stores the ticks of closed hours, one row per hour and symbol. */
export const tickHourStore: HourStore = {
  async writeHour(client, columns) {
    await insertHours(
      client,
      columns,
      "(symbol, hour) DO UPDATE SET ticks = excluded.ticks, block = excluded.block WHERE tick_hour.block <> excluded.block",
    );
  },
};

/**
 * Adds the hours of a source's past that are not stored yet, in one transaction. A stored hour stays as it is.
 *
 * @param findCause why an hour was missing: the same object for the same cause
 */
export async function addMissingHours(
  client: PoolClient,
  columns: readonly HourColumns[],
  findCause: (hourMs: number) => Cause,
): Promise<void> {
  await withinTransaction(client, async () => {
    const added = await insertHours(client, columns, "DO NOTHING");
    const written = columns
      .filter(({ symbol, hourMs }) => added.has(`${symbol} ${hourMs}`))
      .map((hour) => ({ ...hour, ticks: toTicks(hour), before: null }));
    for (const cause of new Set(written.map(({ hourMs }) => findCause(hourMs)))) {
      const ofCause = written.filter(({ hourMs }) => findCause(hourMs) === cause);
      await proveHours(client, ofCause, cause);
    }
  });
}

/** Returns the symbol and the beginning of each hour that was added or changed. */
async function insertHours(
  client: PoolClient,
  columns: readonly HourColumns[],
  onConflict: string,
): Promise<ReadonlySet<string>> {
  const filled = columns.filter(({ count }) => count > 0);
  const blocks: Buffer[] = [];
  for (const hour of filled) {
    if (blocks.length % HOURS_PER_TURN === HOURS_PER_TURN - 1) await nextTurn();
    blocks.push(encodeHour(toTicks(hour)));
  }
  if (blocks.length === 0) return new Set();
  const text = `INSERT INTO tick_hour (symbol, hour, ticks, block)
    SELECT * FROM unnest($1::text[], $2::int[], $3::int[], $4::bytea[]) ON CONFLICT ${onConflict} RETURNING symbol, hour`;
  const { rows } = await client.query<{ symbol: string; hour: number }>(text, [
    filled.map(({ symbol }) => symbol),
    filled.map(({ hourMs }) => hourMs / HOUR_MS),
    filled.map(({ count }) => count),
    blocks,
  ]);
  return new Set(rows.map(({ symbol, hour }) => `${symbol} ${hour * HOUR_MS}`));
}

/** The ticks of one closed hour; null if none were recorded. Throws when the database cannot be reached. */
export async function readHour(pool: Pool, symbol: string, hourMs: number): Promise<HourTicks | null> {
  const { rows } = await pool.query<{ block: Buffer }>("SELECT block FROM tick_hour WHERE symbol = $1 AND hour = $2", [
    symbol,
    hourMs / HOUR_MS,
  ]);
  const block = rows[0]?.block;
  if (block === undefined) return null;
  try {
    return decodeHour(block);
  } catch (error) {
    throw new Error(`The ticks of ${symbol} from ${new Date(hourMs).toISOString()} cannot be read`, { cause: error });
  }
}

/** Consecutive seconds without a tick: [fromMs, toMs). */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

/** How many seconds begin in [fromMs, toMs). */
export function countSeconds(fromMs: number, toMs: number): number {
  return Math.max(0, Math.ceil(toMs / 1000) - Math.ceil(fromMs / 1000));
}

/** The gaps in a range, oldest first. Time that has not been recorded yet is not a gap. */
export function findGaps({ fromMs, knownUntilMs, parts }: TickRange): Gap[] {
  const gaps: Gap[] = [];
  let next = Math.ceil(fromMs / 1000);
  const addGap = (until: number) => {
    if (next < until) gaps.push({ fromMs: next * 1000, toMs: until * 1000 });
  };
  for (const { hour, from, to } of parts) {
    const start = hour.hourMs / 1000;
    for (let i = from; i < to; i++) {
      const second = start + (hour.ticks.seconds[i] as number);
      addGap(second);
      next = second + 1;
    }
  }
  addGap(Math.ceil(knownUntilMs / 1000));
  return gaps;
}
