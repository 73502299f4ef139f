import { createRandomHour } from "@/bench/wandering-hour";
import { createDatabase } from "@/e2e/support/postgres";
import { SECONDS_PER_HOUR } from "@/lib/history/hour-columns";
import { encodeHour, toTicks } from "@/lib/history/ticks/hour-block";
import { TickHistory } from "@/lib/history/ticks/tick-history";
import { readHour } from "@/lib/history/ticks/tick-hour-store";
import { type Database, openDatabase } from "@/lib/platform/database";
import { silentLog } from "@/lib/platform/log";
import { HOUR_MS } from "@/lib/time/units";

/**
 * How long an hour of ticks takes that nobody has read before, with a million ticks stored and with a hundred million:
 * the index must keep it nearly alike. In a PostgreSQL database of its own, which is dropped afterwards.
 */

const SYMBOLS = Number(process.env.BENCH_SYMBOLS ?? 40);
const SMALL = 1_000_000;
const LARGE = Number(process.env.BENCH_TICKS ?? 100_000_000);
const READS = 400;
const TARGET = 3;
/** Different hours to choose from; as blocks they are as random as the database needs them to be. */
const BLOCKS = 200;
const ROWS_A_STATEMENT = 250;
const FIRST_HOUR = Date.UTC(2024, 0, 1) / HOUR_MS;

async function main(): Promise<void> {
  const own = process.env.DATABASE_URL === undefined ? await createDatabase() : null;
  const databaseUrl = process.env.DATABASE_URL ?? own?.url;
  if (databaseUrl === undefined) throw new Error("No PostgreSQL answers. Name an empty database with DATABASE_URL.");
  try {
    const database = await openDatabase({ databaseUrl, dataDir: "data", log: silentLog });
    try {
      const { rows } = await database.pool.query("select 1 from tick_hour limit 1");
      if (rows.length > 0) throw new Error("This database holds ticks already: name an empty one.");
      await compare(database);
    } finally {
      await database.close();
    }
  } finally {
    await own?.drop();
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
  await database.pool.query({ text: "vacuum analyze tick_hour", query_timeout: 600_000 } as { text: string });
  const filledInS = (performance.now() - startedAtMs) / 1000;
  const { rows: sizes } = await database.pool.query<{ bytes: string }>(
    "select pg_total_relation_size('tick_hour') as bytes",
  );
  const bytes = Number(sizes[0]?.bytes);
  const history = new TickHistory({
    openHours: { getHours: () => [], getRevision: () => 0, completeUntilMs: Infinity },
    readHour: (symbol, hourMs) => readHour(database.pool, symbol, hourMs),
    // Every read is a cold one.
    maxBytes: 0,
  });
  const times: number[] = [];
  for (let read = 0; read < READS; read++) {
    const { symbol, hour } = rowAt(Math.floor(Math.random() * rows));
    const begunAtMs = performance.now();
    const { count } = await history.readRange(symbol, hour * HOUR_MS, (hour + 1) * HOUR_MS);
    times.push(performance.now() - begunAtMs);
    if (count !== SECONDS_PER_HOUR) throw new Error(`${symbol} has ${count} ticks in an hour that has them all`);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor(share * times.length)] as number;
  console.log(
    `${(ticks / 1e6).toFixed(0)} million ticks: ${rows} rows, ${(bytes / 1e6).toFixed(0)} MB, ` +
      `${(bytes / (rows * SECONDS_PER_HOUR)).toFixed(2)} bytes a tick on disk, filled in ${filledInS.toFixed(0)} s; ` +
      `a cold hour takes ${at(0.5).toFixed(2)} ms (p95 ${at(0.95).toFixed(2)} ms)`,
  );
  return at(0.5);
}

/** Hours of all symbols, one hour after the other, as a recorder writes them. */
function rowAt(row: number): { symbol: string; hour: number } {
  return { symbol: `SYM${row % SYMBOLS}`, hour: FIRST_HOUR + Math.floor(row / SYMBOLS) };
}

async function fill(database: Database, from: number, to: number): Promise<void> {
  const blocks = Array.from({ length: BLOCKS }, (_, seed) => encodeHour(toTicks(createRandomHour("", 0, seed + 1))));
  for (let at = from; at < to; at += ROWS_A_STATEMENT) {
    const rows = Array.from({ length: Math.min(ROWS_A_STATEMENT, to - at) }, (_, index) => rowAt(at + index));
    const text = `insert into tick_hour select symbol, hour, ${SECONDS_PER_HOUR}, block from unnest($1::text[], $2::int[], $3::bytea[]) as row (symbol, hour, block)`;
    const values = [
      rows.map(({ symbol }) => symbol),
      rows.map(({ hour }) => hour),
      rows.map((_, index) => blocks[(at + index) % BLOCKS]),
    ];
    await database.pool.query({ text, values, query_timeout: 60_000 } as { text: string; values: unknown[] });
  }
}

await main();
