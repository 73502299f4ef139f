import type { Pool } from "pg";
import { type Dataset, digestRows } from "@/lib/export/dataset";
import { quotes } from "@/lib/export/quote-data";
import { type Column, RowList } from "@/lib/export/table";
import { readBars, TIMEFRAME_MINUTES } from "@/lib/history/bars/bar-rows";
import { HOUR_WORK_TIMEOUT_MS, readRecentRows } from "@/lib/history/journal";
import { fromStoredDigits } from "@/lib/history/points";
import { PROOF_TEXTS } from "@/lib/history/proof/hour-proofs";
import { getDeviation, getMean, rollUp, SERVED } from "@/lib/history/spreads/spread-rollup";
import { decodeMinutes } from "@/lib/history/spreads/spread-rows";
import { KEEP_TICKS_HINT, type TickResolution } from "@/lib/history/tapes/kept-ticks";
import { listTicks, readSymbolTapes } from "@/lib/history/tapes/tape-history";
import { decodeHour } from "@/lib/history/ticks/hour-block";
import { toPrice } from "@/lib/market/price";
import { getBarEnd, getBarStart, getUsualBarMs, type StoredTimeframe } from "@/lib/market/timeframe";
import { describeFault } from "@/lib/platform/database/database-errors";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "@/lib/time/units";

/** Served seconds with their proofs, bars, spreads and quotes of one symbol as tables, oldest first. */

export type PriceKind = "ticks" | "bars" | "spreads" | "quotes" | "proofs";

interface PriceOptions {
  /** The timeframe of bars; H1 is the default. */
  readonly timeframe?: StoredTimeframe | null | undefined;
  /** The resolution of ticks; seconds are the default. */
  readonly resolution?: TickResolution | null | undefined;
}

export function createPriceDataset(kind: PriceKind, { timeframe, resolution }: PriceOptions = {}): Dataset {
  if (kind === "ticks") return resolution === "tick" ? everyTick : ticks;
  if (kind === "quotes") return quotes;
  if (kind === "proofs") return proofs;
  return kind === "spreads" ? spreads : createBars(timeframe ?? "H1");
}

const TIME = { name: "time", type: "time" } as const;

/** The symbols of a table, each looked up in its index. */
function listSymbols(table: string) {
  return async (pool: Pool) => {
    const { rows } = await pool.query<{ symbol: string }>(
      `WITH RECURSIVE listed AS (
         SELECT min(symbol) AS symbol FROM ${table}
         UNION ALL
         SELECT (SELECT min(symbol) FROM ${table} AS next WHERE next.symbol > listed.symbol) FROM listed
          WHERE listed.symbol IS NOT NULL
       )
       SELECT symbol FROM listed WHERE symbol IS NOT NULL`,
    );
    return rows.map(({ symbol }) => symbol);
  };
}

async function querySpan(pool: Pool, text: string, values: unknown[]) {
  const { rows } = await pool.query<{ first: number | null; last: number | null }>(text, values);
  const { first = null, last = null } = rows[0] ?? {};
  return first === null || last === null ? null : { firstMs: first * SECOND_MS, lastMs: last * SECOND_MS };
}

async function queryText(pool: Pool, text: string, values: unknown[]): Promise<string> {
  const query = { text, values, query_timeout: HOUR_WORK_TIMEOUT_MS };
  const { rows } = await pool.query<{ text: string }>(query as { text: string; values: unknown[] });
  return rows[0]?.text ?? "";
}

const TICK_COLUMNS: readonly Column[] = [
  { ...TIME, about: "The second, UTC. A second without an update has no row." },
  { name: "bid", type: "price", about: "The bid of the second's last update." },
  { name: "ask", type: "price", about: "The ask of the second's last update." },
];

const ticks: Dataset = {
  name: "ticks",
  columns: TICK_COLUMNS,
  resolution: "1s",
  stepMs: DAY_MS,
  reaches: "present",
  leastGapMs: MINUTE_MS,
  getEnd: (timeMs) => timeMs + SECOND_MS,

  async listSymbols(pool) {
    const [closed, open] = [await listSymbols("tick_hour")(pool), await listSymbols("tick_second")(pool)];
    return [...new Set([...closed, ...open])].sort();
  },

  findSpan: (pool, symbol) =>
    querySpan(
      pool,
      `SELECT least((SELECT min(hour) * 3600 FROM tick_hour WHERE symbol = $1), min(second)) AS first,
              greatest((SELECT max(hour) * 3600 + 3599 FROM tick_hour WHERE symbol = $1), max(second)) AS last
         FROM tick_second WHERE symbol = $1`,
      [symbol],
    ),

  fingerprint: (pool, symbol, { fromMs, toMs }) =>
    queryText(
      pool,
      `SELECT ${digestRows("hour || encode(block, 'hex')", "hour")} AS text
         FROM tick_hour WHERE symbol = $1 AND hour >= $2 AND hour < $3`,
      [symbol, Math.floor(fromMs / HOUR_MS), Math.ceil(toMs / HOUR_MS)],
    ),

  async read(pool, symbol, { fromMs, toMs, closedUntilMs }) {
    // First the open hours: one that is closed in between is then in both, and otherwise in none.
    const open = toMs <= closedUntilMs ? [] : await readRecentRows(pool, [symbol], Math.floor(fromMs / SECOND_MS));
    const { rows: closed } = await pool.query<{ hour: number; block: Buffer }>(
      "SELECT hour, block FROM tick_hour WHERE symbol = $1 AND hour >= $2 AND hour < $3 ORDER BY hour",
      [symbol, Math.floor(fromMs / HOUR_MS), Math.ceil(toMs / HOUR_MS)],
    );
    const list = new RowList(TICK_COLUMNS);
    const add = (timeMs: number, digits: number, bid: number, ask: number) => {
      if (timeMs >= fromMs && timeMs < toMs) list.add(timeMs, toPrice(bid, digits), toPrice(ask, digits));
    };
    for (const { hour, block } of closed) {
      const { digits, seconds, bid, ask } = decodeTicks(symbol, hour, block);
      for (let i = 0; i < seconds.length; i++) {
        add(hour * HOUR_MS + (seconds[i] as number) * SECOND_MS, digits, bid[i] as number, ask[i] as number);
      }
    }
    const closedHours = new Set(closed.map(({ hour }) => hour));
    const rest = open.filter(({ second }) => !closedHours.has(Math.floor(second / 3_600)));
    rest.sort((a, b) => a.second - b.second);
    for (const { second, digits, bid, ask } of rest) add(second * SECOND_MS, digits, bid, ask);
    return list.build();
  },
};

const EVERY_TICK_COLUMNS: readonly Column[] = [
  { name: "time", type: "instant", about: "The broker's time of the tick, UTC, with milliseconds." },
  { name: "source", type: "text", about: "The broker." },
  { name: "bid", type: "price", about: "The bid." },
  { name: "ask", type: "price", about: "The ask." },
  { name: "received", type: "instant", about: "When the server received it, UTC, with milliseconds." },
  { name: "served", type: "count", about: "1 if the broker was the served one then, otherwise 0." },
];

/** Every tick of each source, of the symbols and times of which the server keeps it. */
const everyTick: Dataset = {
  name: "every_tick",
  columns: EVERY_TICK_COLUMNS,
  resolution: "tick",
  stepMs: 6 * HOUR_MS,
  reaches: "closed",
  leastGapMs: MINUTE_MS,
  unstored: KEEP_TICKS_HINT,
  getEnd: (timeMs) => timeMs + 1,
  listSymbols: listSymbols("tape_hour"),
  findSpan: (pool, symbol) =>
    querySpan(
      pool,
      `SELECT min(hour)::float8 * 3600 AS first, max(hour)::float8 * 3600 + 3599 AS last
         FROM tape_hour WHERE symbol = $1`,
      [symbol],
    ),
  async read(pool, symbol, { fromMs, toMs }) {
    const tapes = await readSymbolTapes((work) => work(pool), symbol, { fromMs, toMs });
    const list = new RowList(EVERY_TICK_COLUMNS);
    for (const { source, tape, at } of listTicks(tapes, false)) {
      const price = (points: Float64Array) => toPrice(points[at] as number, tape.digits);
      const times = [tape.timesMs[at] as number, tape.receivedMs[at] as number] as const;
      list.add(times[0], source, price(tape.bids), price(tape.asks), times[1], tape.served[at] as number);
    }
    return list.build();
  },
};

function decodeTicks(symbol: string, hour: number, block: Buffer) {
  try {
    return decodeHour(block);
  } catch (error) {
    const at = new Date(hour * HOUR_MS).toISOString();
    throw new Error(`The ticks of ${symbol} from ${at} cannot be read: ${describeFault(error)}`, { cause: error });
  }
}

/** Bars that are read at once: three weeks of M1. */
const MAX_BARS = 30_240;

function createBars(timeframe: StoredTimeframe): Dataset {
  const columns: readonly Column[] = [
    { ...TIME, about: "When the bar opened, UTC." },
    { name: "open", type: "price", about: "The first bid." },
    { name: "high", type: "price", about: "The highest bid." },
    { name: "low", type: "price", about: "The lowest bid." },
    { name: "close", type: "price", about: "The last bid." },
    { name: "volume", type: "count", about: "The number of price updates." },
  ];
  const minutes = TIMEFRAME_MINUTES[timeframe];
  return {
    name: "bars",
    columns,
    resolution: timeframe,
    stepMs: timeframe === "M1" ? 2 * WEEK_MS : 5 * WEEK_MS,
    reaches: "closed",
    leastGapMs: getUsualBarMs(timeframe) - 1,
    getEnd: (timeMs) => getBarEnd(timeframe, getBarStart(timeframe, timeMs)),
    getStart: (timeMs) => getBarStart(timeframe, timeMs),
    async listSymbols(pool) {
      const [rows, packs] = [await listSymbols("bar")(pool), await listSymbols("bar_pack")(pool)];
      return [...new Set([...rows, ...packs])].sort();
    },
    findSpan: (pool, symbol) =>
      querySpan(
        pool,
        `SELECT least(min(bar.time), (SELECT min(time) FROM bar_pack WHERE symbol = $1 AND timeframe = $2)) AS first,
                greatest(max(bar.time), (SELECT max(until) FROM bar_pack WHERE symbol = $1 AND timeframe = $2)) AS last
           FROM bar WHERE symbol = $1 AND timeframe = $2`,
        [symbol, minutes],
      ),
    fingerprint: (pool, symbol, { fromMs, toMs }) =>
      queryText(
        pool,
        `SELECT (SELECT ${digestRows("bar::text", "time")} FROM bar
                  WHERE symbol = $1 AND timeframe = $2 AND time >= $3 AND time < $4) || ' ' ||
                (SELECT ${digestRows("bar_pack::text", "time")} FROM bar_pack
                  WHERE symbol = $1 AND timeframe = $2 AND until >= $3 AND time < $4) AS text`,
        [symbol, minutes, fromMs / SECOND_MS, toMs / SECOND_MS],
      ),
    async read(pool, symbol, { fromMs, toMs }) {
      const range = { symbols: [symbol], timeframe, fromMs, toMs, limit: MAX_BARS, pick: "first" } as const;
      const bars = (await readBars(pool, range)).get(symbol) ?? [];
      const list = new RowList(columns);
      for (const { timeMs, digits, open, high, low, close, volume } of bars) {
        const price = (points: number) => toPrice(points, digits);
        list.add(timeMs, price(open), price(high), price(low), price(close), volume);
      }
      return list.build();
    },
  };
}

const SPREAD_COLUMNS: readonly Column[] = [
  { ...TIME, about: "The minute, UTC. A minute without a sample has no row." },
  {
    name: "source",
    type: "text",
    optional: true,
    about: "The broker; null for the served price, of whichever broker.",
  },
  { name: "samples", type: "count", about: "The seconds of the minute that have a price." },
  { name: "min", type: "price", about: "The least spread, ask minus bid in units of the price." },
  { name: "max", type: "price", about: "The greatest spread." },
  { name: "mean", type: "price", about: "The mean of all samples." },
  { name: "deviation", type: "price", about: "The standard deviation of all samples (population)." },
];

interface SpreadRow {
  readonly source: string;
  readonly hourMs: number;
  readonly digits: number | null;
  readonly minutes: Buffer;
}

const spreads: Dataset = {
  name: "spreads",
  columns: SPREAD_COLUMNS,
  resolution: "1m",
  stepMs: 2 * DAY_MS,
  reaches: "closed",
  leastGapMs: 5 * MINUTE_MS,
  getEnd: (timeMs) => timeMs + MINUTE_MS,
  listSymbols: listSymbols("spread_hour"),
  findSpan: (pool, symbol) =>
    querySpan(
      pool,
      `SELECT min(extract(epoch FROM hour))::float8 AS first, max(extract(epoch FROM hour))::float8 + 3540 AS last
         FROM spread_hour WHERE symbol = $1`,
      [symbol],
    ),
  fingerprint: (pool, symbol, { fromMs, toMs }) =>
    queryText(
      pool,
      `SELECT ${digestRows("source || hour || coalesce(digits, -1) || encode(minutes, 'hex')", "hour, source")} AS text
         FROM spread_hour WHERE symbol = $1 AND hour >= to_timestamp($2::float8) AND hour < to_timestamp($3::float8)`,
      [symbol, fromMs / SECOND_MS, toMs / SECOND_MS],
    ),
  async read(pool, symbol, { fromMs, toMs }) {
    const { rows } = await pool.query<SpreadRow>(
      `SELECT source, extract(epoch FROM hour)::float8 * 1000 AS "hourMs", digits, minutes FROM spread_hour
        WHERE symbol = $1 AND hour > to_timestamp($2::float8) - interval '1 hour' AND hour < to_timestamp($3::float8)
        ORDER BY hour, source`,
      [symbol, fromMs / SECOND_MS, toMs / SECOND_MS],
    );
    const found = rows.flatMap(({ source, hourMs, digits: stored, minutes }) => {
      const digits = fromStoredDigits(symbol, stored);
      return decodeMinutes(minutes).flatMap((histogram, minute) => {
        const timeMs = hourMs + minute * MINUTE_MS;
        const rollup = rollUp(histogram, digits);
        return rollup.n === 0 || timeMs < fromMs || timeMs >= toMs ? [] : [{ timeMs, source, digits, rollup }];
      });
    });
    // Minute by minute, and the served price, whose source is empty, before the brokers.
    found.sort((a, b) => a.timeMs - b.timeMs || (a.source < b.source ? -1 : 1));
    const list = new RowList(SPREAD_COLUMNS);
    for (const { timeMs, source, digits, rollup } of found) {
      const [min, max] = [toPrice(rollup.min, digits), toPrice(rollup.max, digits)];
      list.add(timeMs, source === SERVED ? null : source, rollup.n, min, max, getMean(rollup), getDeviation(rollup));
    }
    return list.build();
  },
};

const PROOF_COLUMNS: readonly Column[] = [
  { ...TIME, about: "When the hour began, UTC. An hour that was written again has several rows." },
  { name: "seq", type: "count", about: "The number of the link in the chain of the symbol and UTC day." },
  { name: "ticks", type: "count", about: "The seconds of the hour that had a tick." },
  { name: "content", type: "text", about: "The hash of the hour, in hex." },
  { name: "written", type: "time", about: "When it was written, UTC." },
  { name: "cause", type: "text", about: "What wrote it, as JSON." },
  {
    name: "origins",
    type: "text",
    optional: true,
    about: "First second and cause of each part as JSON, if there are several.",
  },
  { name: "link", type: "text", about: "The link of the chain, in hex." },
];

interface ProofRow {
  readonly hour: number;
  readonly seq: number;
  readonly ticks: number;
  readonly content: Buffer;
  readonly at: number;
  readonly cause: string;
  readonly origins: string;
  readonly link: Buffer;
}

const proofs: Dataset = {
  name: "proofs",
  columns: PROOF_COLUMNS,
  resolution: "1h",
  stepMs: WEEK_MS,
  reaches: "closed",
  leastGapMs: null,
  getEnd: (timeMs) => timeMs + HOUR_MS,
  getStart: (timeMs) => Math.floor(timeMs / HOUR_MS) * HOUR_MS,
  listSymbols: listSymbols("hour_proof"),
  findSpan: (pool, symbol) =>
    querySpan(
      pool,
      "SELECT min(hour)::float8 * 3600 AS first, max(hour)::float8 * 3600 AS last FROM hour_proof WHERE symbol = $1",
      [symbol],
    ),
  async read(pool, symbol, { fromMs, toMs }) {
    const { rows } = await pool.query<ProofRow>(
      `SELECT hour, seq, ticks, content, at, link, ${PROOF_TEXTS}
        WHERE day >= floor($2::int4 / 24.0) AND day <= floor($3::int4 / 24.0) AND symbol = $1
          AND hour >= $2::int4 AND hour < $3::int4
        ORDER BY hour, seq`,
      [symbol, Math.ceil(fromMs / HOUR_MS), Math.ceil(toMs / HOUR_MS)],
    );
    const list = new RowList(PROOF_COLUMNS);
    for (const { hour, seq, ticks: count, content, at, cause, origins, link } of rows) {
      const [hash, end] = [content.toString("hex"), link.toString("hex")];
      list.add(hour * HOUR_MS, seq, count, hash, at * SECOND_MS, cause, origins === "" ? null : origins, end);
    }
    return list.build();
  },
};
