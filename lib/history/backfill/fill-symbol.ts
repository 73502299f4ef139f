import type { Pool, PoolClient } from "pg";
import type { PastPrice } from "@/lib/feeds/feed";
import { type ReadPast, readPastBars, SPREADS_BACK_MS } from "@/lib/history/backfill/zones";
import { forgetBars } from "@/lib/history/bars/bar-memory";
import { insertBars, joinHourBars } from "@/lib/history/bars/bar-rows";
import { isBeyondAnHour } from "@/lib/history/bars/series";
import { createHourColumns, type HourColumns, MINUTES_PER_HOUR, writeSecond } from "@/lib/history/hour-columns";
import { withinTransaction } from "@/lib/history/hour-store";
import { lockImports, raiseImports } from "@/lib/history/import/write-hours";
import { excludeHours } from "@/lib/history/imported-spans";
import type { Cause } from "@/lib/history/proof/hour-proofs";
import { SERVED, type SpreadHour } from "@/lib/history/spreads/spread-rollup";
import { addMissingSpreadHours } from "@/lib/history/spreads/spread-rows";
import { addMissingHours } from "@/lib/history/ticks/tick-history";
import type { Bar } from "@/lib/market/bar";
import type { Instrument } from "@/lib/market/instrument";
import { toPoints } from "@/lib/market/price";
import { getBarEnd, getBarStart, type StoredTimeframe } from "@/lib/market/timeframe";
import type { Database } from "@/lib/platform/database/database";
import { isDatabaseUnavailable, isDiskFull } from "@/lib/platform/database/database-errors";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** Bars to store of each timeframe; M1 has more in a day. */
const MAX_BARS = 1_000;
const MAX_M1_BARS = 2_000;
const HOURS_PER_STATEMENT = 120;
const MAX_BAR_MS = (7 * 24 + 1) * HOUR_MS;
const SHORTEST_FIRST = ["M1", "M5", "M15", "M30", "H1", "H4", "D1", "W1"] as const satisfies readonly StoredTimeframe[];

/**
 * Fills the missing parts of one symbol's past up to `endMs`, a full UTC hour: ticks of a day, spreads of a month,
 * enough bars of every timeframe. Existing rows stay, except for bars longer than an hour that now have more hours.
 * `findCause` says why an hour of ticks was missing, for its proof.
 * Runs many small statements; running it again, also after an interruption, changes nothing.
 */
export async function fillSymbol(
  client: PoolClient,
  instrument: Pick<Instrument, "symbol" | "digits">,
  read: ReadPast,
  { endMs, findCause }: { readonly endMs: number; readonly findCause: (hourMs: number) => Cause },
): Promise<"filled" | "upToDate"> {
  const { symbol } = instrument;
  const filledUntilMs = await readFilledUntil(client, symbol);
  if (filledUntilMs !== null && filledUntilMs >= endMs) return "upToDate";
  const sinceMs = filledUntilMs ?? -Infinity;
  // The bar of a week may have begun before the missing part.
  const existing = await readExistingHours(client, symbol, Math.max(sinceMs, endMs - 2 * SPREADS_BACK_MS) - MAX_BAR_MS);
  const hours: HourColumns[] = [];
  const spreads: SpreadHour[] = [];
  // A month has hundreds of thousands of prices, so none is kept.
  const onPrices = (prices: readonly PastPrice[], stepMs: number) => {
    if (stepMs === SECOND_MS) {
      hours.push(...toHourColumns(instrument, prices).filter(({ hourMs }) => !existing.ticks.has(hourMs)));
    }
    const isWanted = ({ hourMs }: SpreadHour) => hourMs >= endMs - SPREADS_BACK_MS && !existing.spreads.has(hourMs);
    spreads.push(...toSpreadHours(instrument, prices, stepMs).filter(isWanted));
  };
  const bars = readPastBars(read, { endMs, sinceMs, onPrices });
  await addMissingHours(client, hours, findCause);
  for (let at = 0; at < spreads.length; at += HOURS_PER_STATEMENT) {
    await addMissingSpreadHours(client, spreads.slice(at, at + HOURS_PER_STATEMENT));
  }

  // Shortest timeframe first, so that a reader that finds an hour also finds its minutes.
  const addedHoursMs: number[] = [];
  for (const timeframe of SHORTEST_FIRST) {
    const latest = bars[timeframe].slice(timeframe === "M1" ? -MAX_M1_BARS : -MAX_BARS);
    // Nothing is added within a recorded hour: its gaps are real.
    const missing = isBeyondAnHour(timeframe)
      ? latest
      : latest.filter(({ timeMs }) => !existing.bars.has(floorToHour(timeMs)));
    const added = await addBars(client, instrument, timeframe, missing);
    const [first] = added.sort((a, b) => a - b);
    if (first !== undefined) await forgetBars(client, [symbol], [{ timeframe, sinceMs: first }]);
    if (timeframe === "H1") addedHoursMs.push(...added);
    if (timeframe === "H1" || isBeyondAnHour(timeframe)) await markFilled(client, symbol, added);
  }
  await rebuildLongBars(client, symbol, addedHoursMs, existing.bars);
  await writeFilledUntil(client, symbol, endMs);
  return "filled";
}

/** Bars may have been added between imported ones: the time between those is not all imported any more. */
async function markFilled(client: PoolClient, symbol: string, addedMs: readonly number[]): Promise<void> {
  const hours = addedMs.map((timeMs) => timeMs / SECOND_MS);
  await withinTransaction(client, async () => {
    await lockImports(client);
    if (await excludeHours(client, symbol, hours)) await raiseImports(client);
  });
}

/** Rebuilds the long bars that contain both recorded and added hours. */
async function rebuildLongBars(
  client: PoolClient,
  symbol: string,
  addedMs: readonly number[],
  recordedMs: ReadonlySet<number>,
) {
  for (const timeframe of ["H4", "D1", "W1"] as const) {
    const recorded = new Set(Array.from(recordedMs, (hourMs) => getBarStart(timeframe, hourMs)));
    const grown = new Set(
      addedMs.map((hourMs) => getBarStart(timeframe, hourMs)).filter((startMs) => recorded.has(startMs)),
    );
    for (const startMs of grown) {
      await joinHourBars(client, [symbol], timeframe, startMs, getBarEnd(timeframe, startMs));
      await forgetBars(client, [symbol], [{ timeframe, sinceMs: startMs }]);
    }
  }
}

function floorToHour(timeMs: number): number {
  return Math.floor(timeMs / HOUR_MS) * HOUR_MS;
}

/** What back-filling reads from the recorder's tables and adds to them. It never overwrites. */

/** Bars in one statement: it takes some tens of milliseconds, so that the journal's statements run in between. */
const BARS_PER_STATEMENT = 2_000;

/** The UTC milliseconds up to which a symbol's past was filled; null if it never was. */
async function readFilledUntil(client: PoolClient, symbol: string): Promise<number | null> {
  const { rows } = await client.query<{ until: number }>("SELECT until FROM backfill WHERE symbol = $1", [symbol]);
  return rows[0] === undefined ? null : rows[0].until * 1000;
}

/** Returns those of the symbols whose past is not filled up to a moment, UTC milliseconds. */
export async function listUnfilled(pool: Pool, symbols: readonly string[], untilMs: number): Promise<string[]> {
  const { rows } = await pool.query<{ symbol: string }>("SELECT symbol FROM backfill WHERE until >= $1", [
    Math.ceil(untilMs / 1000),
  ]);
  const filled = new Set(rows.map(({ symbol }) => symbol));
  return symbols.filter((symbol) => !filled.has(symbol));
}

async function writeFilledUntil(client: PoolClient, symbol: string, untilMs: number): Promise<void> {
  await client.query(
    "INSERT INTO backfill (symbol, until) VALUES ($1, $2) ON CONFLICT (symbol) DO UPDATE SET until = excluded.until",
    [symbol, untilMs / 1000],
  );
}

/** The start of each of one symbol's hours in the database: UTC milliseconds. */
interface ExistingHours {
  readonly bars: ReadonlySet<number>;
  readonly ticks: ReadonlySet<number>;
  readonly spreads: ReadonlySet<number>;
}

async function readExistingHours(client: PoolClient, symbol: string, fromMs: number): Promise<ExistingHours> {
  const readHours = async (text: string, ...more: unknown[]) => {
    const { rows } = await client.query<{ hour: number }>(text, [symbol, ...more]);
    return new Set(rows.map(({ hour }) => hour * HOUR_MS));
  };
  const from = fromMs / HOUR_MS;
  return {
    bars: await readHours(
      "SELECT time / 3600 AS hour FROM bar WHERE symbol = $1 AND timeframe = 60 AND time >= $2::int4",
      from * 3600,
    ),
    // Bars of an hour may be imported without ticks and spreads: those of another source are not added to them.
    ticks: await readHours(
      `SELECT hour FROM tick_hour WHERE symbol = $1 AND hour >= $2::int4
       UNION SELECT hour FROM import_hour WHERE symbol = $1 AND hour >= $2::int4`,
      from,
    ),
    spreads: await readHours(
      `SELECT (extract(epoch FROM hour) / 3600)::int4 AS hour FROM spread_hour
        WHERE symbol = $1 AND source = $2 AND hour >= to_timestamp($3::float8)
       UNION SELECT hour FROM import_hour WHERE symbol = $1 AND hour >= $4::int4`,
      SERVED,
      from * 3600,
      from,
    ),
  };
}

/** Adds the bars that do not exist yet, and returns when they opened: UTC milliseconds. */
export async function addBars(
  client: PoolClient,
  { symbol, digits }: Pick<Instrument, "symbol" | "digits">,
  timeframe: StoredTimeframe,
  bars: readonly Bar[],
): Promise<number[]> {
  const added: number[] = [];
  const points = (price: number) => toPoints(price, digits);
  for (let at = 0; at < bars.length; at += BARS_PER_STATEMENT) {
    const some = bars.slice(at, at + BARS_PER_STATEMENT).map(({ timeMs, open, high, low, close, volume }) => {
      const prices = { open: points(open), high: points(high), low: points(low), close: points(close) };
      return { symbol, timeframe, timeMs, digits, ...prices, volume };
    });
    added.push(...(await insertBars(client, some, "keep")));
  }
  return added;
}

/** Past prices as hours that the stores can write. */

type Priced = Pick<Instrument, "symbol" | "digits">;

/** Hours of prices, oldest first. Each second has one price. */
export function toHourColumns({ symbol, digits }: Priced, prices: Iterable<PastPrice>): HourColumns[] {
  const hours: HourColumns[] = [];
  for (const { timeMs, updates, ...price } of prices) {
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    let hour = hours.at(-1);
    if (hour?.hourMs !== hourMs) hours.push((hour = createHourColumns(symbol, digits, hourMs)));
    const bid = toPoints(price.bid, digits);
    const ask = toPoints(price.ask, digits);
    writeSecond(hour, { symbol, digits, second: timeMs / 1000, bid, ask, open: bid, high: bid, low: bid, updates });
  }
  return hours;
}

/** Hours of spreads, oldest first. A price that lasts several seconds counts as that many samples. */
function toSpreadHours({ symbol, digits }: Priced, prices: Iterable<PastPrice>, stepMs: number): SpreadHour[] {
  const hours: (SpreadHour & { readonly minutes: readonly Map<number, number>[] })[] = [];
  const samples = stepMs / SECOND_MS;
  for (const { timeMs, bid, ask } of prices) {
    const hourMs = Math.floor(timeMs / HOUR_MS) * HOUR_MS;
    let hour = hours.at(-1);
    if (hour?.hourMs !== hourMs) {
      const minutes = Array.from({ length: MINUTES_PER_HOUR }, () => new Map<number, number>());
      hours.push((hour = { symbol, source: SERVED, hourMs, digits, minutes }));
    }
    const minute = hour.minutes[Math.floor((timeMs - hourMs) / MINUTE_MS)] as Map<number, number>;
    const spread = toPoints(ask, digits) - toPoints(bid, digits);
    minute.set(spread, (minute.get(spread) ?? 0) + samples);
  }
  return hours;
}

interface Options<Item> {
  readonly open: () => Promise<Database>;
  /** Does one item's work. It is repeated from its beginning when the database was lost meanwhile. */
  readonly work: (client: PoolClient, item: Item) => Promise<void>;
  /** Called once for each interruption. */
  readonly onInterrupted: (error: unknown) => void;
  readonly retryMs: number;
}

/** Works through the items in turn. While the database is unavailable, or its disk is full, it waits, however long. */
export async function workThrough<Item>(items: readonly Item[], options: Options<Item>): Promise<void> {
  const left = [...items];
  let isInterrupted = false;
  while (left.length > 0) {
    try {
      await workWhileAvailable(left, options, () => (isInterrupted = false));
    } catch (error) {
      if (!isDatabaseUnavailable(error) && !isDiskFull(error)) throw error;
      if (!isInterrupted) options.onInterrupted(error);
      isInterrupted = true;
      await new Promise((resolve) => setTimeout(resolve, options.retryMs));
    }
  }
}

/** Removes each item that is done from `left`. */
async function workWhileAvailable<Item>(left: Item[], { open, work }: Options<Item>, onDone: () => void) {
  const database = await open();
  try {
    for (const item of [...left]) {
      const client = await database.pool.connect();
      try {
        await work(client, item);
      } finally {
        client.release();
      }
      left.shift();
      onDone();
    }
  } finally {
    await database.close();
  }
}
