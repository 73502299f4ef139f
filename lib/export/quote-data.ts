import type { Pool } from "pg";
import type { Dataset, ReadRange } from "@/lib/export/dataset";
import { type Column, RowList, type Rows } from "@/lib/export/table";
import { decodeBook, type SourceChanges } from "@/lib/history/as-of/book-block";
import { instruments } from "@/lib/market/catalog";
import { toPrice } from "@/lib/market/price";
import { describeFault } from "@/lib/platform/database/database-errors";
import { DAY_MS, HOUR_MS, SECOND_MS } from "@/lib/time/units";

/**
 * The quotes of all sources as a table, from the log of the book. A row of the log has all symbols, so the quotes of many
 * symbols cost little more to read than those of one.
 */

const COLUMNS: readonly Column[] = [
  {
    name: "time",
    type: "time",
    about: "The second in which it was received, UTC. A second without an update of the source has no row.",
  },
  { name: "source", type: "text", about: "The broker." },
  {
    name: "bid",
    type: "price",
    optional: true,
    about: "The bid of the source's last update in the second; null where the source was paused or removed then.",
  },
  { name: "ask", type: "price", optional: true, about: "The ask of the same update; null with the bid." },
  { name: "quoted_at", type: "instant", optional: true, about: "The broker's own time of it, UTC; null with the bid." },
  {
    name: "stale_after_ms",
    type: "count",
    about: "The age from which it was stale, in milliseconds; 0 without a bid.",
  },
];

const TABLE = "book_log";
const DAY_SECONDS = DAY_MS / SECOND_MS;
/** With the step, so many rows are in memory at most: 14,400 of each symbol and source, some 60 bytes each. */
const MOST_SYMBOLS = 32;

export const quotes: Dataset = {
  name: "quotes",
  columns: COLUMNS,
  resolution: "1s",
  stepMs: 4 * HOUR_MS,
  reaches: "present",
  leastGapMs: null,
  getEnd: (timeMs) => timeMs + SECOND_MS,
  together: { most: MOST_SYMBOLS, read: readQuotes },

  /** All that are known, and those that were in the book at the first recorded moment of a day. */
  async listSymbols(pool) {
    const symbols = new Set(instruments.map(({ symbol }) => symbol));
    const { rows: days } = await pool.query<{ since: number }>(
      `SELECT min(since) AS since FROM ${TABLE} WHERE whole GROUP BY since / ${DAY_SECONDS}`,
    );
    for (const { since } of days) {
      const { rows } = await pool.query<LogRow>(
        `SELECT since, until, block FROM ${TABLE} WHERE whole AND since >= $1 ORDER BY since, until DESC LIMIT 1`,
        [since],
      );
      for (const row of rows) for (const { symbol } of decodeRow(row)) symbols.add(symbol);
    }
    return [...symbols].sort();
  },

  async findSpan(pool) {
    const { rows } = await pool.query<{ first: number | null; last: number | null }>(
      `SELECT (SELECT min(since) FROM ${TABLE}) AS first,
              (SELECT until FROM ${TABLE} ORDER BY since DESC, until DESC LIMIT 1) AS last`,
    );
    const { first = null, last = null } = rows[0] ?? {};
    return first === null || last === null ? null : { firstMs: first * SECOND_MS, lastMs: last * SECOND_MS };
  },

  /** Rows of the past are removed by retention, and never changed. */
  async fingerprint(pool, _symbol, { fromMs, toMs }) {
    const { rows } = await pool.query<{ text: string }>(
      `SELECT count(*) || ' ' || coalesce(min(since), 0) || ' ' || coalesce(max(until), 0) AS text
         FROM ${TABLE} WHERE since >= $1 AND since < $2`,
      [fromMs / SECOND_MS, toMs / SECOND_MS],
    );
    return rows[0]?.text ?? "";
  },

  async read(pool, symbol, range) {
    return (await readQuotes(pool, [symbol], range)).get(symbol) as Rows;
  },
};

interface LogRow {
  readonly since: number;
  readonly until: number;
  readonly block: Buffer;
}

async function readQuotes(
  pool: Pool,
  symbols: readonly string[],
  { fromMs, toMs }: ReadRange,
): Promise<ReadonlyMap<string, Rows>> {
  const [from, to] = [Math.ceil(fromMs / SECOND_MS), Math.ceil(toMs / SECOND_MS)];
  const { rows } = await pool.query<LogRow>(
    `SELECT since, until, block FROM ${TABLE}
      WHERE since >= coalesce((SELECT max(since) FROM ${TABLE} WHERE whole AND since <= $1), $1) AND since < $2
      ORDER BY since, whole DESC, until`,
    [from, to],
  );
  const lists = new Map(symbols.map((symbol) => [symbol, new RowList(COLUMNS)]));
  for (const [at, row] of rows.entries()) {
    // Where another server has taken over, its row is the later one.
    const until = Math.min(row.until, rows[at + 1]?.since ?? Infinity, to);
    const since = Math.max(row.since, from);
    if (since < until) addQuotes(lists, decodeRow(row), { since, until });
  }
  return new Map(Array.from(lists, ([symbol, list]) => [symbol, list.build()]));
}

/** Adds the quotes of [since, until): those before it are the book at the beginning, and were received earlier. */
function addQuotes(
  lists: ReadonlyMap<string, RowList>,
  changes: readonly SourceChanges[],
  { since, until }: Pick<LogRow, "since" | "until">,
): void {
  const bySymbol = new Map<string, { source: SourceChanges; at: number; second: number }[]>();
  for (const source of changes) {
    if (!lists.has(source.symbol)) continue;
    let found = bySymbol.get(source.symbol);
    if (found === undefined) bySymbol.set(source.symbol, (found = []));
    for (const [at, second] of source.seconds.entries()) {
      if (second >= since && second < until) found.push({ source, at, second });
    }
  }
  for (const [symbol, found] of bySymbol) {
    const list = lists.get(symbol) as RowList;
    found.sort((a, b) => a.second - b.second || (a.source.source < b.source.source ? -1 : 1));
    for (const { source, at, second } of found) {
      const { digits, bids, asks, timesMs, staleAftersMs } = source;
      const isDropped = asks[at] === 0;
      const price = (points: Float64Array) => (isDropped ? NaN : toPrice(points[at] as number, digits));
      const quotedAtMs = isDropped ? NaN : (timesMs[at] as number);
      const staleAfterMs = isDropped ? 0 : (staleAftersMs[at] as number);
      list.add(second * SECOND_MS, source.source, price(bids), price(asks), quotedAtMs, staleAfterMs);
    }
  }
}

function decodeRow({ since, block }: LogRow): SourceChanges[] {
  try {
    return decodeBook(since, block);
  } catch (error) {
    const at = new Date(since * SECOND_MS).toISOString();
    throw new Error(`The quotes from ${at} cannot be read: ${describeFault(error)}`, { cause: error });
  }
}
