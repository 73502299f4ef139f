import { setImmediate as nextTurn } from "node:timers/promises";
import type { Pool, PoolClient } from "pg";
import type { Quote } from "@/lib/feeds/intake";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { LeaseLost } from "@/lib/history/recording/recorder-lease";
import { type RecorderWork, repeatWithLease } from "@/lib/history/recording/while-recording";
import type { KeptTicks } from "@/lib/history/tapes/kept-ticks";
import { joinTapes, type Tape, TickList } from "@/lib/history/tapes/tape";
import {
  type DecodedTicks,
  decodeNewTicks,
  decodeTape,
  encodeNewTicks,
  encodeTape,
  type NewTicks,
  type TickGroup,
} from "@/lib/history/tapes/tape-block";
import { fitDigits, MAX_POINTS, toPoints } from "@/lib/market/price";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/**
 * Every tick of the wanted symbols in the database. Each second, what was received is one row with the ticks of all symbols
 * and sources. Each minute, these rows become parts of tapes: of one symbol, source and hour. The parts of an hour that is
 * over become its tape; ticks that come later are joined into it too. All of that begins with what is stored, so that a
 * server that starts, or takes over, continues it.
 */

interface Options {
  readonly pool: Pool;
  readonly kept: KeptTicks;
  /** The source that the book serves a symbol from. */
  readonly servedSource: (symbol: string, nowMs: number) => string | undefined;
  readonly marketNow: Clock;
  readonly log: Logger;
  /** Bytes of encoded ticks that may wait while the database is unavailable. */
  readonly maxWaitingBytes?: number;
}

/** Some fifteen million ticks. */
const MAX_WAITING_BYTES = 64 * 1024 * 1024;
/** So many ticks are encoded at once, at the latest; they take some 30 ms. */
const MAX_TICKS = 50_000;
/** What a server that does not record has in memory, in case it takes over: longer than a lease. */
const STANDBY_MS = 10 * SECOND_MS;
const MAX_STANDBY_TICKS = 500_000;
/** A server that takes over stores again what the other one stored last: the same ticks come to each at other moments. */
const OVERLAP_MS = SECOND_MS;
/** Bytes in one statement. */
const MAX_STATEMENT_BYTES = 4 * 1024 * 1024;
/** Bytes of seconds that are joined at once: some two million ticks, or an hour of a quiet market. */
const JOINED_BYTES = 8 * 1024 * 1024;
/** How long after its end an hour is joined, as other hours are closed. */
const GRACE_MS = 65 * SECOND_MS;
const HOURS_AT_ONCE = 1_000;

/** Ticks of one second of receipt. */
interface Received {
  readonly second: number;
  count: number;
  groups: NewTicks[];
}

/** The group that a symbol and source had last. */
interface Slot {
  received: Received | null;
  group: NewTicks;
}

export interface TapeCounts {
  /** Ticks stored since the start. */
  stored: number;
  /** Ticks that were lost because the database was unavailable for too long, or a price was too large. */
  lost: number;
}

interface Waiting {
  readonly block: Buffer;
  readonly ticks: number;
}

/** Writes the ticks, while this server records. */
export class TapeWriter {
  readonly counts: TapeCounts = { stored: 0, lost: 0 };
  readonly #options: Options;
  readonly #slots = new Map<string, Map<string, Slot>>();
  #received: Received[] = [];
  #waiting: Waiting[] = [];
  #waitingBytes = 0;
  /** The row that says since when all is stored; null until the first write. */
  #run: string | null = null;
  /** All ticks since then are stored or in memory: UTC milliseconds. */
  #completeSinceMs: number;
  #isRecording = false;

  constructor(options: Options) {
    this.#options = options;
    this.#completeSinceMs = Math.floor(options.marketNow());
  }

  /** Accepts a quote that the book has just accepted. */
  onQuote({ source, instrument, bid, ask, timeMs, receivedAtMs }: Quote): void {
    const { kept, servedSource } = this.#options;
    if (!kept.has(instrument)) return;
    const { symbol } = instrument;
    const digits = fitDigits(ask, instrument.digits);
    const points = { bid: toPoints(bid, digits), ask: toPoints(ask, digits) };
    if (points.ask > MAX_POINTS) {
      this.counts.lost++;
      return;
    }
    const isServed = servedSource(symbol, receivedAtMs) === source;
    const receivedMs = Math.floor(receivedAtMs);
    const received = this.#getReceived(Math.floor(receivedMs / SECOND_MS));
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    const slot = this.#getSlot(symbol, source);
    if (slot.received !== received || slot.group.hourMs !== hourMs) {
      slot.received = received;
      slot.group = { symbol, source, hourMs, ticks: new TickList() };
      received.groups.push(slot.group);
    }
    slot.group.ticks.add({ digits, ...points, timeMs, receivedMs, isServed });
    received.count++;
    if (received.count >= MAX_TICKS && this.#isRecording) this.#encode();
  }

  /** Stores all that was received. Throws LeaseLost unless `fence` holds the lease. */
  async flush(fence: number): Promise<void> {
    const { kept, marketNow } = this.#options;
    if (kept.names.length === 0) return;
    const untilMs = Math.floor(marketNow());
    if (this.#run === null) await this.#begin(fence, untilMs);
    this.#encode();
    // Too many have waited: what comes next is a run of its own.
    if (this.#run === null) return;
    for (;;) {
      const batch = this.#takeBatch();
      const isLast = batch.length === this.#waiting.length;
      await this.#write(fence, batch, isLast ? untilMs : this.#completeSinceMs);
      this.#waiting.splice(0, batch.length);
      for (const { block, ticks } of batch) {
        this.#waitingBytes -= block.length;
        this.counts.stored += ticks;
      }
      if (isLast) return;
    }
  }

  /** Joins what was stored of the last seconds, and of hours that are over. Throws LeaseLost. */
  async join(fence: number): Promise<void> {
    while ((await this.#joinSeconds(fence)) > 0);
    const { pool, marketNow, log } = this.#options;
    const { rows } = await pool.query<TapeName>(
      `SELECT DISTINCT symbol, hour, source FROM tape_hour WHERE part > 0 AND hour < $1
        ORDER BY hour, symbol, source LIMIT ${HOURS_AT_ONCE}`,
      [Math.floor((marketNow() - GRACE_MS) / HOUR_MS)],
    );
    for (const name of rows) {
      try {
        await this.#joinHour(fence, name);
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        log.error({ err: error, ...name }, "the parts of a tape cannot be joined; they stay as they are");
      }
      await nextTurn();
    }
  }

  /** Writes once a second, and joins once a minute, until it is stopped. */
  run(fence: number): RecorderWork {
    const { log } = this.#options;
    this.#run = null;
    this.#isRecording = true;
    const flushes = repeatWithLease(() => this.flush(fence), {
      pauseMs: SECOND_MS,
      onFailure: (error) => log.error({ err: error }, "ticks cannot be stored; they wait in memory"),
      onRecovery: () => log.info("ticks are stored again"),
    });
    const joins = repeatWithLease(() => this.join(fence), {
      pauseMs: MINUTE_MS,
      onFailure: (error) => log.warn({ err: error }, "stored ticks cannot be joined"),
      onRecovery: () => log.info("stored ticks are joined again"),
    });
    return {
      stop: async () => {
        await Promise.all([flushes.stop(), joins.stop()]);
        await this.flush(fence).catch(() => {});
        this.#standBy();
      },
    };
  }

  #getSlot(symbol: string, source: string): Slot {
    let bySource = this.#slots.get(symbol);
    if (bySource === undefined) this.#slots.set(symbol, (bySource = new Map<string, Slot>()));
    let slot = bySource.get(source);
    if (slot === undefined) {
      const group = { symbol, source, hourMs: 0, ticks: new TickList() };
      bySource.set(source, (slot = { received: null, group }));
    }
    return slot;
  }

  #getReceived(second: number): Received {
    const last = this.#received.at(-1);
    // Also after the clock was set back.
    if (last !== undefined && last.second >= second) return last;
    if (!this.#isRecording) this.#forgetBefore(second * SECOND_MS - STANDBY_MS);
    const received = { second, count: 0, groups: [] };
    this.#received.push(received);
    return received;
  }

  /** Keeps what a server that does not record may have to store. */
  #forgetBefore(timeMs: number): void {
    let count = this.#received.reduce((sum, each) => sum + each.count, 0);
    for (let [oldest] = this.#received; oldest !== undefined; [oldest] = this.#received) {
      if (count <= MAX_STANDBY_TICKS && oldest.second * SECOND_MS >= timeMs) return;
      this.#received.shift();
      count -= oldest.count;
      this.#completeSinceMs = Math.max(this.#completeSinceMs, (oldest.second + 1) * SECOND_MS);
    }
  }

  /** Encodes what was received. What then waits is bounded. */
  #encode(): void {
    const received = this.#received;
    this.#received = [];
    for (const { count, groups } of received) {
      if (count === 0) continue;
      const block = encodeNewTicks(groups);
      this.#waiting.push({ block, ticks: count });
      this.#waitingBytes += block.length;
    }
    if (this.#waitingBytes > (this.#options.maxWaitingBytes ?? MAX_WAITING_BYTES)) this.#lose();
  }

  #lose(): void {
    const { log, marketNow } = this.#options;
    const ticks = this.#waiting.reduce((sum, each) => sum + each.ticks, 0);
    log.error({ ticks }, "too many ticks wait for the database; they are lost");
    this.counts.lost += ticks;
    this.#forget(marketNow());
  }

  #forget(nowMs: number): void {
    this.#received = [];
    this.#waiting = [];
    this.#waitingBytes = 0;
    this.#run = null;
    this.#completeSinceMs = Math.floor(nowMs);
  }

  #standBy(): void {
    this.#isRecording = false;
    this.#forget(this.#options.marketNow());
  }

  /** Continues where another server has stopped, if what it has not stored is in memory. */
  async #begin(fence: number, nowMs: number): Promise<void> {
    const { pool, kept } = this.#options;
    const sinceMs = this.#completeSinceMs;
    const { rows } = await pool.query<{ until: number | null }>(
      "SELECT max(until)::float8 AS until FROM tape_run WHERE until BETWEEN $1 AND $2",
      [sinceMs, nowMs],
    );
    const until = rows[0]?.until ?? null;
    const inserted = await pool.query<{ id: string }>(
      `INSERT INTO tape_run (since, until, kept)
       SELECT $2::int8, $2::int8, $3::text[] FROM recorder_lease WHERE fence = $1 RETURNING id`,
      [fence, until ?? sinceMs, kept.names],
    );
    const [run] = inserted.rows;
    if (run === undefined) throw new LeaseLost();
    // Ticks may have been lost meanwhile, and then this is the run of those.
    if (sinceMs !== this.#completeSinceMs) return;
    this.#run = run.id;
    if (until === null) return;
    this.#completeSinceMs = until;
    this.#dropStored(until);
  }

  /** Drops what another server has stored. Of what the brokers date, what it stored last is stored again. */
  #dropStored(untilMs: number): void {
    for (const received of this.#received) {
      received.groups = received.groups.map((group) => ({
        ...group,
        ticks: group.ticks.filter(
          ({ timeMs, receivedMs }) => receivedMs >= untilMs - (timeMs === receivedMs ? 0 : OVERLAP_MS),
        ),
      }));
      received.count = received.groups.reduce((sum, { ticks }) => sum + ticks.count, 0);
    }
    // What comes next is added to none of these.
    this.#slots.clear();
  }

  #takeBatch(): readonly Waiting[] {
    let bytes = 0;
    const end = this.#waiting.findIndex(({ block }, i) => (bytes += block.length) > MAX_STATEMENT_BYTES && i > 0);
    return this.#waiting.slice(0, end < 0 ? this.#waiting.length : end);
  }

  async #write(fence: number, batch: readonly Waiting[], untilMs: number): Promise<void> {
    const { rowCount } = await this.#options.pool.query(
      `WITH lease AS (SELECT FROM recorder_lease WHERE fence = $1 FOR KEY SHARE),
            run AS (UPDATE tape_run SET until = greatest(until, $3::int8) FROM lease WHERE id = $2::int8 RETURNING id),
            written AS (INSERT INTO tape_second (block) SELECT block FROM run, unnest($4::bytea[]) AS row (block))
       SELECT FROM run`,
      [fence, this.#run, untilMs, batch.map(({ block }) => block)],
    );
    if (rowCount === 0) throw new LeaseLost();
  }

  /** Joins some seconds into parts, and returns their number. */
  async #joinSeconds(fence: number): Promise<number> {
    const { pool } = this.#options;
    const { rows } = await pool.query<{ id: string; block: Buffer }>(
      `SELECT id, block
         FROM (SELECT *, sum(length(block)) OVER seconds AS bytes, row_number() OVER seconds AS number FROM tape_second
               WINDOW seconds AS (ORDER BY id)) AS counted
        WHERE bytes <= ${JOINED_BYTES} OR number = 1 ORDER BY id`,
    );
    const last = rows.at(-1);
    if (last === undefined) return 0;
    const groups = new Map<string, DecodedTicks[]>();
    for (const { block } of rows) {
      for (const group of decodeNewTicks(block)) {
        const key = nameGroup(group);
        const found = groups.get(key);
        if (found === undefined) groups.set(key, [group]);
        else found.push(group);
      }
      await nextTurn();
    }
    const joined: EncodedTape[] = [];
    for (const [first, ...rest] of groups.values()) {
      if (first === undefined) continue;
      const tape = joinTapes([first, ...rest].map((each) => each.tape));
      joined.push({ ...first, hour: first.hourMs / HOUR_MS, part: last.id, ...encode(first.hourMs, tape) });
      await nextTurn();
    }
    await inLeasedTransaction(pool, fence, async (client) => {
      await insertTapes(client, joined);
      // By number: a statement that was given up may still be stored, with one between these.
      const ids = rows.map(({ id }) => id);
      const { rowCount } = await client.query("DELETE FROM tape_second WHERE id = ANY ($1::int8[])", [ids]);
      if (rowCount !== rows.length) throw new Error("Other seconds were joined than were read");
    });
    return rows.length;
  }

  async #joinHour(fence: number, { symbol, hour, source }: TapeName): Promise<void> {
    const { pool } = this.#options;
    const name = [symbol, hour, source];
    const isNamed = "symbol = $1 AND hour = $2 AND source = $3";
    const query = `SELECT part, block FROM tape_hour WHERE ${isNamed} ORDER BY part`;
    const { rows } = await pool.query<{ part: string; block: Buffer }>(query, name);
    const parts: Tape[] = [];
    for (const { block } of rows) {
      parts.push(decodeTape(hour * HOUR_MS, block));
      await nextTurn();
    }
    const joined = { symbol, hour, source, part: "0", ...encode(hour * HOUR_MS, joinTapes(parts)) };
    await inLeasedTransaction(pool, fence, async (client) => {
      await client.query(`DELETE FROM tape_hour WHERE ${isNamed} AND part = ANY ($4::int8[])`, [
        ...name,
        rows.map(({ part }) => part),
      ]);
      await insertTapes(client, [joined]);
    });
  }
}

const nameGroup = ({ symbol, source, hourMs }: TickGroup) => `${symbol}\n${source}\n${hourMs}`;

interface TapeName {
  readonly symbol: string;
  readonly hour: number;
  readonly source: string;
}

interface EncodedTape extends TapeName {
  readonly part: string;
  readonly ticks: number;
  readonly block: Buffer;
}

const encode = (hourMs: number, tape: Tape) => ({ ticks: tape.timesMs.length, block: encodeTape(hourMs, tape) });

async function insertTapes(client: PoolClient, tapes: readonly EncodedTape[]): Promise<void> {
  await client.query(
    `INSERT INTO tape_hour (symbol, hour, source, part, ticks, block)
     SELECT * FROM unnest($1::text[], $2::int4[], $3::text[], $4::int8[], $5::int4[], $6::bytea[])`,
    [
      tapes.map(({ symbol }) => symbol),
      tapes.map(({ hour }) => hour),
      tapes.map(({ source }) => source),
      tapes.map(({ part }) => part),
      tapes.map(({ ticks }) => ticks),
      tapes.map(({ block }) => block),
    ],
  );
}
