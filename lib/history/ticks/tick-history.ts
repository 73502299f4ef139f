import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { HourColumns } from "@/lib/history/hour-columns";
import { type HourStore, withinTransaction } from "@/lib/history/hour-store";
import type { OpenHoursKeeper } from "@/lib/history/open-hours";
import { type Cause, proveHours } from "@/lib/history/proof/hour-proofs";
import { decodeHour, encodeHour, type HourTicks, toTicks } from "@/lib/history/ticks/hour-block";
import { findFirstAt, ReadyHour, ReadyHours, toKey } from "@/lib/history/ticks/ready-hours";
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

/** An hour of a symbol by its beginning, UTC milliseconds. */
interface HourId {
  readonly symbol: string;
  readonly hourMs: number;
}

interface Options {
  readonly openHours: Pick<OpenHoursKeeper, "getHours" | "getRevision" | "completeUntilMs">;
  /** Reads closed hours from the store by `toKey`; those that were not recorded are missing. */
  readonly readHours: (hours: readonly HourId[]) => Promise<ReadonlyMap<string, HourTicks>>;
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
    const starts = Array.from(
      { length: Math.max(0, Math.ceil((toMs - first) / HOUR_MS)) },
      (_, at) => first + at * HOUR_MS,
    );
    const hours = this.#getHours(starts.map((hourMs) => ({ symbol, hourMs })));
    return mapMaybeAsync(joinMaybeAsync(hours), (ready) => this.#cut(symbol, fromMs, toMs, ready));
  }

  /** Reads an hour of many symbols together. Call it before reading their ranges. */
  async loadHour(symbols: readonly string[], hourMs: number): Promise<void> {
    await Promise.all(this.#getHours(symbols.map((symbol) => ({ symbol, hourMs }))));
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

  /** Hours in their order. Those that are neither in memory nor being read are read together. */
  #getHours(hours: readonly HourId[]): (MaybeHour | Promise<MaybeHour>)[] {
    const known = hours.map((hour) => this.#getHour(hour));
    const missing = hours.filter((_, at) => known[at] === undefined);
    if (missing.length > 0) this.#readClosedHours(missing);
    return known.map((hour, at) => hour ?? this.#getHour(hours[at] as HourId) ?? null);
  }

  #getHour({ symbol, hourMs }: HourId): ReadyHour | Promise<MaybeHour> | undefined {
    const open = this.#options.openHours.getHours(symbol).find((hour) => hour.hourMs === hourMs);
    if (open !== undefined) return this.#getOpenHour(open);
    return this.#closed.get(symbol, hourMs) ?? this.#reading.get(toKey(symbol, hourMs));
  }

  /** An open hour as ready bytes, updated whenever it has changed. */
  #getOpenHour(columns: HourColumns): ReadyHour {
    const cached = this.#open.get(columns);
    const revision = this.#options.openHours.getRevision(columns.symbol);
    if (cached?.revision === revision) return cached.hour;
    const hour = new ReadyHour(columns.symbol, columns.hourMs, toTicks(columns));
    this.#open.set(columns, { revision, hour });
    return hour;
  }

  /** Reads hours together, and notes each of them as under way. */
  #readClosedHours(hours: readonly HourId[]): void {
    const epoch = this.#epoch;
    const all = this.#options.readHours(hours);
    for (const { symbol, hourMs } of hours) {
      const key = toKey(symbol, hourMs);
      const started = all
        .then((read) => {
          const ticks = read.get(key);
          if (ticks === undefined) return null;
          const hour = new ReadyHour(symbol, hourMs, ticks);
          if (epoch === this.#epoch) this.#closed.add(hour);
          return hour;
        })
        .finally(() => {
          if (this.#reading.get(key) === started) this.#reading.delete(key);
        });
      this.#reading.set(key, started);
    }
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

/** Hours encoded or decoded before the event loop continues: about two milliseconds' work. */
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

/** The ticks of some closed hours by `toKey`, without those that were not recorded. */
export async function readHours(pool: Pool, hours: readonly HourId[]): Promise<ReadonlyMap<string, HourTicks>> {
  const { rows } = await pool.query<{ symbol: string; hour: number; block: Buffer }>(
    // Each by its key: the planner might scan the table for many of them.
    `SELECT symbol, hour, block FROM unnest($1::text[], $2::int4[]) AS requested (symbol, hour), LATERAL (
            SELECT block FROM tick_hour WHERE symbol = requested.symbol AND hour = requested.hour LIMIT 1
          ) AS stored`,
    [hours.map(({ symbol }) => symbol), hours.map(({ hourMs }) => hourMs / HOUR_MS)],
  );
  const found = new Map<string, HourTicks>();
  for (const [at, { symbol, hour, block }] of rows.entries()) {
    if (at % HOURS_PER_TURN === HOURS_PER_TURN - 1) await nextTurn();
    try {
      found.set(toKey(symbol, hour * HOUR_MS), decodeHour(block));
    } catch (error) {
      const start = new Date(hour * HOUR_MS).toISOString();
      throw new Error(`The ticks of ${symbol} from ${start} cannot be read`, { cause: error });
    }
  }
  return found;
}

/** The ticks of one closed hour; null if none were recorded. Throws when the database cannot be reached. */
export async function readHour(pool: Pool, symbol: string, hourMs: number): Promise<HourTicks | null> {
  return (await readHours(pool, [{ symbol, hourMs }])).get(toKey(symbol, hourMs)) ?? null;
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
