import { createRandomHour } from "@/bench/random-hour";
import { SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import { encodeHour, toTicks } from "@/lib/history/ticks/hour-block";
import { readHours, TickHistory } from "@/lib/history/ticks/tick-history";
import { type Database, openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { createDatabase } from "@/lib/platform/testing/postgres-server";
import { HOUR_MS } from "@/lib/time/units";

/**
 * Measures a cold read of an hour of ticks, with a million ticks stored and with a hundred million. The index must keep
 * the two times nearly equal. Uses a new PostgreSQL database, which is dropped afterwards.
 */

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 40);
const SMALL = 1_000_000;
const LARGE = Number(process.env.BENCH_TICKS ?? 100_000_000);
const READS = 400;
const TARGET = 3;
/** The number of different blocks to store. Their bytes are random to the database. */
const BLOCKS = 200;
const ROWS_PER_STATEMENT = 250;
const FIRST_HOUR = Date.UTC(2024, 0, 1) / HOUR_MS;

async function main(): Promise<void> {
  const created = process.env.DATABASE_URL === undefined ? await createDatabase() : null;
  const databaseUrl = process.env.DATABASE_URL ?? created?.url;
  try {
    const database = await openDatabase({ databaseUrl, dataDir: "data", log: silentLog });
    try {
      const { rows } = await database.pool.query("SELECT 1 FROM tick_hour LIMIT 1");
      if (rows.length > 0) throw new Error("The database already holds ticks: name an empty one.");
      await compare(database);
    } finally {
      await database.close();
    }
  } finally {
    await created?.drop();
  }
}

async function compare(database: Database): Promise<void> {
  const small = await measure(database, 0, SMALL);
  const large = await measure(database, SMALL, LARGE);
  const ratio = large / small;
  console.log(`\nratio of the medians ${ratio.toFixed(2)}, at most ${TARGET} wanted`);
  if (ratio > TARGET) process.exitCode = 1;
}

/** Fills the database up to a number of ticks, and reads hours at random. Returns the median in milliseconds. */
async function measure(database: Database, stored: number, ticks: number): Promise<number> {
  const rowsBefore = Math.ceil(stored / SECONDS_PER_HOUR);
  const rows = Math.ceil(ticks / SECONDS_PER_HOUR);
  const startedAtMs = performance.now();
  await fill(database, rowsBefore, rows);
  await database.pool.query({ text: "VACUUM ANALYZE tick_hour", query_timeout: 600_000 } as { text: string });
  const filledInS = (performance.now() - startedAtMs) / 1000;
  const { rows: sizes } = await database.pool.query<{ bytes: string }>(
    "SELECT pg_total_relation_size('tick_hour') AS bytes",
  );
  const bytes = Number(sizes[0]?.bytes);
  const history = new TickHistory({
    openHours: { getHours: () => [], getRevision: () => 0, completeUntilMs: Infinity },
    readHours: (hours) => readHours(database.pool, hours),
    // Without a cache every read is cold.
    maxBytes: 0,
  });
  const times: number[] = [];
  for (let read = 0; read < READS; read++) {
    const { symbol, hour } = getRow(Math.floor(Math.random() * rows));
    const readAtMs = performance.now();
    const { count } = await history.readRange(symbol, hour * HOUR_MS, (hour + 1) * HOUR_MS);
    times.push(performance.now() - readAtMs);
    if (count !== SECONDS_PER_HOUR) throw new Error(`${symbol} has ${count} ticks in a full hour`);
  }
  times.sort((a, b) => a - b);
  const getQuantile = (share: number) => times[Math.floor(share * times.length)] as number;
  console.log(
    `${(ticks / 1e6).toFixed(0)} million ticks: ${rows} rows, ${(bytes / 1e6).toFixed(0)} MB, ` +
      `${(bytes / (rows * SECONDS_PER_HOUR)).toFixed(2)} bytes a tick on disk, filled in ${filledInS.toFixed(0)} s; ` +
      `a cold hour takes ${getQuantile(0.5).toFixed(2)} ms (p95 ${getQuantile(0.95).toFixed(2)} ms)`,
  );
  return getQuantile(0.5);
}

/** Returns the nth row: all symbols of an hour, then those of the next hour, as the recorder writes them. */
function getRow(row: number): { symbol: string; hour: number } {
  return { symbol: `SYM${row % SYMBOLS}`, hour: FIRST_HOUR + Math.floor(row / SYMBOLS) };
}

async function fill(database: Database, from: number, to: number): Promise<void> {
  const blocks = Array.from({ length: BLOCKS }, (_, seed) => encodeHour(toTicks(createRandomHour("", 0, seed + 1))));
  for (let at = from; at < to; at += ROWS_PER_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_PER_STATEMENT, to - at) }, (_, index) => getRow(at + index));
    const text = `INSERT INTO tick_hour SELECT symbol, hour, ${SECONDS_PER_HOUR}, block FROM unnest($1::text[], $2::int[], $3::bytea[]) AS row (symbol, hour, block)`;
    const values = [
      rows.map(({ symbol }) => symbol),
      rows.map(({ hour }) => hour),
      rows.map((_, index) => blocks[(at + index) % BLOCKS]),
    ];
    await database.pool.query({ text, values, query_timeout: 60_000 } as { text: string; values: unknown[] });
  }
}

await main();
