import type { Pool } from "pg";
import type { GapReason, GapSummary, SourceGap } from "@/lib/feeds/feed";
import { inLeasedTransaction } from "@/lib/history/hour-store";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { TradingHours } from "@/lib/market/instrument";
import { isMarketOpen } from "@/lib/market/trading-hours";
import type { Logger } from "@/lib/platform/log/log";
import { repeat, type Repetition } from "@/lib/platform/timing/repeat";
import { MINUTE_MS, SECOND_MS, type Span } from "@/lib/time/units";

/** A stored gap. */
export interface StoredGap extends SourceGap {
  /** The symbols that are still to be filled. */
  readonly waiting: readonly string[];
  /** The symbols that cannot be filled. */
  readonly missing: readonly string[];
  /** Up to when prices are missing: the back-fill of a simulated source has the rest. */
  readonly lostUntilMs: number;
  readonly attempts: number;
}

const COLUMNS = `source, from_ms::float8 AS "fromMs", to_ms::float8 AS "toMs", reason, waiting, missing, attempts,
                 coalesce(lost_until_ms, to_ms)::float8 AS "lostUntilMs"`;

/** Reads the last prices of each source before this start. */
export async function readSeen(pool: Pool): Promise<SeenSource[]> {
  const { rows } = await pool.query<SeenSource>(
    `SELECT source, seen_ms::float8 AS "seenMs", symbols, reason FROM source_seen ORDER BY source`,
  );
  return rows;
}

/** Stores gaps and the last prices, and removes gaps before `keptFromMs`. Throws LeaseLost unless `fence` holds the lease. */
export async function writeGaps(
  pool: Pool,
  fence: number,
  { gaps, seen, keptFromMs }: { gaps: readonly TrackedGap[]; seen: readonly SeenSource[]; keptFromMs: number },
): Promise<void> {
  await inLeasedTransaction(pool, fence, async (client) => {
    for (const { source, fromMs, toMs, reason, symbols, lostUntilMs } of gaps) {
      const lost = lostUntilMs > fromMs ? symbols : [];
      const [waiting, missing] = lostUntilMs === Infinity ? [symbols, []] : [[], lost];
      await client.query(
        `INSERT INTO source_gap (source, from_ms, to_ms, reason, waiting, missing, lost_until_ms)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (source, from_ms) DO NOTHING`,
        [
          source,
          Math.floor(fromMs),
          Math.ceil(toMs),
          reason,
          waiting,
          missing,
          lostUntilMs < toMs ? Math.floor(lostUntilMs) : null,
        ],
      );
    }
    if (gaps.length > 0) await client.query("DELETE FROM source_gap WHERE to_ms < $1", [Math.floor(keptFromMs)]);
    await client.query("DELETE FROM source_seen WHERE source <> ALL ($1)", [seen.map(({ source }) => source)]);
    for (const { source, seenMs, symbols, reason } of seen) {
      await client.query(
        `INSERT INTO source_seen (source, seen_ms, symbols, reason) VALUES ($1, $2, $3, $4)
         ON CONFLICT (source) DO UPDATE SET seen_ms = excluded.seen_ms, symbols = excluded.symbols, reason = excluded.reason`,
        [source, Math.floor(seenMs), symbols, reason],
      );
    }
  });
}

/** The gaps that are not filled, oldest first. */
async function readUnfilled(pool: Pool): Promise<StoredGap[]> {
  const { rows } = await pool.query<StoredGap>(
    `SELECT ${COLUMNS} FROM source_gap WHERE waiting <> '{}' OR missing <> '{}' ORDER BY from_ms, source`,
  );
  return rows;
}

/** The gaps that are to be filled now, oldest first. */
export async function readDue(pool: Pool, nowMs: number): Promise<StoredGap[]> {
  const { rows } = await pool.query<StoredGap>(
    `SELECT ${COLUMNS} FROM source_gap WHERE waiting <> '{}' AND next_ms <= $1 ORDER BY from_ms, source`,
    [Math.floor(nowMs)],
  );
  return rows;
}

/** The gaps that ended in (afterMs, untilMs], UTC milliseconds, by their ends. */
export async function readEnded(pool: Pool, afterMs: number, untilMs: number): Promise<SourceGap[]> {
  const { rows } = await pool.query<SourceGap>(
    `SELECT source, from_ms::float8 AS "fromMs", to_ms::float8 AS "toMs", reason FROM source_gap
      WHERE to_ms > $1 AND to_ms <= $2 ORDER BY to_ms, source LIMIT ${MAX_ENDED}`,
    [Math.floor(afterMs), Math.floor(untilMs)],
  );
  return rows;
}

const MAX_ENDED = 10_000;

async function readLatest(pool: Pool): Promise<SourceGap[]> {
  const { rows } = await pool.query<SourceGap>(
    `SELECT source, from_ms::float8 AS "fromMs", to_ms::float8 AS "toMs", reason FROM source_gap
      ORDER BY to_ms DESC, source LIMIT ${LATEST}`,
  );
  return rows.reverse();
}

/** More gaps than end within some seconds. */
const LATEST = 100;

type GapKey = Pick<SourceGap, "source" | "fromMs">;

/** Notes that the past of some symbols was read, and for which there was none. Throws LeaseLost like `writeGaps`. */
export async function noteRead(
  pool: Pool,
  fence: number,
  { source, fromMs }: GapKey,
  { symbols, missing }: { readonly symbols: readonly string[]; readonly missing: readonly string[] },
): Promise<void> {
  const text = `UPDATE source_gap SET waiting = ARRAY(SELECT unnest(waiting) EXCEPT SELECT unnest($3::text[]) ORDER BY 1),
            missing = ARRAY(SELECT unnest(missing) UNION SELECT unnest($4::text[]) ORDER BY 1), attempts = 0
      WHERE source = $1 AND from_ms = $2`;
  await inLeasedTransaction(pool, fence, (client) => client.query(text, [source, fromMs, symbols, missing]));
}

/** Tries a gap again later. Throws LeaseLost like `writeGaps`. */
export async function postpone(
  pool: Pool,
  fence: number,
  { source, fromMs }: GapKey,
  { nextMs, isFailure }: { readonly nextMs: number; readonly isFailure: boolean },
): Promise<void> {
  const text = "UPDATE source_gap SET next_ms = $3, attempts = attempts + $4 WHERE source = $1 AND from_ms = $2";
  const values = [source, fromMs, Math.floor(nextMs), isFailure ? 1 : 0];
  await inLeasedTransaction(pool, fence, (client) => client.query(text, values));
}

/** A time in which no server recorded, in Unix time; since ever if `from` is null. */
export interface Outage {
  readonly from: number | null;
  readonly to: number;
}

/** The times of [from, to), Unix times, in which no server recorded: those that the log of the book lacks. */
export async function readOutages(pool: Pool, from: number, to: number): Promise<Outage[]> {
  const { rows } = await pool.query<{ since: number; until: number }>(
    `SELECT since, until FROM book_log
      WHERE since >= coalesce((SELECT since FROM book_log WHERE whole AND since <= $1 ORDER BY since DESC LIMIT 1), $1)
        AND since < $2
      ORDER BY since, until`,
    [from, to],
  );
  const outages: Outage[] = [];
  let end: number | null = null;
  for (const { since, until } of [...rows, { since: to, until: to }]) {
    if (since > (end ?? from)) outages.push({ from: end, to: since });
    end = Math.max(end ?? until, until);
  }
  return outages;
}

interface Options {
  readonly pool: Pool;
  readonly log: Logger;
}

const FOLLOW_MS = 10 * SECOND_MS;
const MAX_LATEST = 10;

/** The gaps of all sources that are not filled, at most ten seconds old, in every process. */
export class UnfilledGaps {
  readonly #pool: Pool;
  readonly #repetition: Repetition;
  #gaps: readonly StoredGap[] = [];
  #ended: readonly SourceGap[] = [];

  constructor({ pool, log }: Options) {
    this.#pool = pool;
    this.#repetition = repeat(() => this.load(), {
      pauseMs: FOLLOW_MS,
      onFailure: (error) => log.warn({ err: error }, "the gaps of the sources cannot be read"),
      onRecovery: () => log.info("the gaps of the sources can be read again"),
    });
  }

  async start(): Promise<void> {
    await this.load();
    this.#repetition.start();
  }

  stop(): void {
    this.#repetition.stop();
  }

  async load(): Promise<void> {
    this.#gaps = await readUnfilled(this.#pool);
    const ended = await readLatest(this.#pool);
    if (JSON.stringify(ended) !== JSON.stringify(this.#ended)) this.#ended = ended;
  }

  /** The gaps that ended last, filled or not: the same array until there is another one. */
  get ended(): readonly SourceGap[] {
    return this.#ended;
  }

  /** The parts of gaps of a symbol's sources within a range while its market was open, oldest first. */
  find(symbol: string, fromMs: number, toMs: number): SourceGap[] {
    const found = this.#gaps.filter(
      (gap) => gap.fromMs < toMs && fromMs < gap.toMs && (gap.waiting.includes(symbol) || gap.missing.includes(symbol)),
    );
    const hours = instrumentBySymbol.get(symbol)?.tradingHours;
    return found.flatMap((gap) => {
      const span = { fromMs: Math.max(gap.fromMs, fromMs), untilMs: Math.min(gap.lostUntilMs, toMs) };
      const open = hours === undefined ? [span] : cutOpenSpans([hours], span);
      const { source, reason } = gap;
      return open.map(({ fromMs: from, untilMs }) => ({ source, reason, fromMs: from, toMs: untilMs }));
    });
  }

  summarise(source: string): GapSummary {
    const gaps = this.#gaps.filter((gap) => gap.source === source).reverse();
    const latest = gaps.slice(0, MAX_LATEST).map(({ fromMs, toMs, reason }) => ({ source, fromMs, toMs, reason }));
    return { count: gaps.length, latest };
  }
}

export interface OpenSpan extends Span {
  /** Whether a market opened or closed at one of its ends. */
  readonly touchesClosure: boolean;
}

/** The parts of a span in which any of the markets was open, oldest first. Markets open and close at whole minutes. */
export function cutOpenSpans(markets: readonly TradingHours[], { fromMs, untilMs }: Span): OpenSpan[] {
  const spans: OpenSpan[] = [];
  let openedMs: number | null = null;
  const end = (atMs: number, touchesEnd: boolean) => {
    if (openedMs === null) return;
    spans.push({ fromMs: openedMs, untilMs: atMs, touchesClosure: touchesEnd || openedMs > fromMs });
    openedMs = null;
  };
  for (let atMs = fromMs; atMs < untilMs; atMs = (Math.floor(atMs / MINUTE_MS) + 1) * MINUTE_MS) {
    const isOpen = markets.some((hours) => isMarketOpen(hours, atMs));
    if (isOpen) openedMs ??= atMs;
    else end(atMs, true);
  }
  end(untilMs, false);
  return spans;
}

/** A gap with the canonical symbols that its source quotes. */
export interface TrackedGap extends SourceGap {
  readonly symbols: readonly string[];
  /** Up to when its prices are lost; Infinity if they are fetched from the source. */
  readonly lostUntilMs: number;
}

/** The last accepted price of a source. */
export interface SeenSource {
  readonly source: string;
  readonly seenMs: number;
  readonly symbols: readonly string[];
  /** Why no price followed; null if the source was connected. */
  readonly reason: GapReason | null;
}
