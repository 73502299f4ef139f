import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Pool } from "pg";
import { createBook } from "@/lib/book/book";
import { createIntake } from "@/lib/feeds/intake";
import { BookLog } from "@/lib/history/as-of/book-log";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { appendSeconds, openJournalHour } from "@/lib/history/journal";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { Recorder } from "@/lib/history/recording/recorder";
import { readKeptTicks } from "@/lib/history/tapes/kept-ticks";
import { TapeWriter } from "@/lib/history/tapes/tape-writer";
import { instruments as catalog, putInstruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { type Database, openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { warmNextTick } from "@/lib/platform/timing/warm-next-tick";

/**
 * Measures the ticks a second that one core records: 150 symbols from 3 sources through the intake, the book, the
 * recorder, the open hours with their bars, the spreads of each source, and the log of the book. With the journal in
 * memory everything runs on this thread. With `npm run bench:record embedded` the thread of the embedded database, on the
 * same core, acknowledges every second. With the word broker there are 5,000 instruments, of which 2,000 are quoted by 4
 * sources. With the word ticks every tick is stored too, and the bytes that each takes are printed.
 */

interface Load {
  /** Instruments in the catalog, and those that are quoted. */
  readonly listed: number;
  readonly symbols: number;
  readonly sources: readonly string[];
  /** Ticks a second of each symbol from each source. */
  readonly ticks: number;
  readonly target: number;
}

const BUSY: Load = { listed: 150, symbols: 150, sources: ["alpha", "borealis", "cobalt"], ticks: 450, target: 200_000 };
/** 2,000 × 4 × 2 are above the 10,000 ticks a second of a large broker. */
const BROKER: Load = {
  ...{ listed: 5_000, symbols: 2_000, sources: ["alpha", "borealis", "cobalt", "dunmore"], ticks: 2, target: 10_000 },
};
const {
  listed,
  symbols: SYMBOLS,
  sources: SOURCES,
  ticks: TICKS_A_SECOND,
  target: TARGET,
} = process.argv.includes("broker") ? BROKER : BUSY;
/** Seconds of the market clock, which runs as fast as the machine allows. */
const SECONDS = 20;
const WARM_UP_SECONDS = 5;
const HOUR_START = Date.UTC(2026, 0, 14, 14);

const journal = process.argv.includes("embedded") ? "embedded" : "memory";
const keepsTicks = process.argv.includes("ticks");

async function main(): Promise<void> {
  // All threads of this process, including later ones, share the first core.
  execFileSync("taskset", ["-a", "-c", "-p", "0", String(process.pid)], { stdio: "ignore" });
  warmNextTick();
  const dataDir = await mkdtemp(join(tmpdir(), "spotline-record-"));
  const database =
    journal === "embedded" ? await openDatabase({ databaseUrl: undefined, dataDir, log: silentLog }) : null;
  try {
    await measure(database);
  } finally {
    await database?.close();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function measure(database: Database | null): Promise<void> {
  const [model] = catalog;
  if (model !== undefined) {
    const added = Array.from({ length: Math.max(0, listed - catalog.length) }, (_, at) => `X${at}.BENCH`);
    putInstruments(added.map((symbol) => ({ ...model, symbol, aliases: [] })));
  }
  const instruments = catalog.slice(0, listed);
  const quoted = instruments.slice(0, SYMBOLS);
  const sources = SOURCES.map((name) => ({ name, mode: "live" }) as const);
  let nowMs = HOUR_START;
  const marketNow = () => nowMs;
  const pool = database?.pool ?? emptyPool;
  const book = createBook({ sources, now: marketNow });
  const keeper = new HistoryKeeper({ pool, instruments, sources, marketNow });
  const append = async (rows: readonly SecondRow[]) =>
    database === null ? undefined : appendSeconds(database.pool, FIRST_FENCE, rows);
  if (database !== null) await openJournalHour(database.pool, HOUR_START);
  const recorder = new Recorder({
    openHours: keeper.openHours,
    closedHours: [],
    marketNow,
    append,
    servedSource: book.servedSource,
    onRecorded: (rows, completeUntilMs) => keeper.onRecorded(rows, completeUntilMs),
  });
  const bookLog = new BookLog({
    pool: database?.pool ?? logPool,
    findGapMs: book.findGapMs,
    marketNow,
    log: silentLog,
  });
  const tapes = new TapeWriter({
    pool: database?.pool ?? logPool,
    kept: readKeptTicks(keepsTicks ? ["all"] : [], createResolver([])),
    servedSource: book.servedSource,
    marketNow,
    log: silentLog,
  });
  const intake = createIntake({
    resolver: createResolver(instruments),
    sources,
    now: marketNow,
    onQuote(quote) {
      book.accept(quote);
      recorder.onQuote(quote);
      keeper.onQuote(quote);
      bookLog.onQuote(quote);
      tapes.onQuote(quote);
    },
  });
  const streams = SOURCES.flatMap((source) => quoted.map((instrument) => ({ source, instrument, steps: 0 })));

  const flushes: number[] = [];
  let startMs = 0;
  let acceptedBefore = 0;
  for (let second = 0; second < SECONDS; second++) {
    if (second === WARM_UP_SECONDS) {
      startMs = performance.now();
      acceptedBefore = intake.counts().accepted;
    }
    for (let part = 0; part < TICKS_A_SECOND; part++) {
      nowMs = HOUR_START + second * 1_000 + part * (1_000 / TICKS_A_SECOND);
      for (const stream of streams) {
        const { source, instrument } = stream;
        stream.steps += (stream.steps * 7 + second + part) % 3 === 0 ? 1 : -1;
        const bid = (100_000 + stream.steps) / 10 ** instrument.digits;
        const ask = (100_012 + stream.steps + (second % 5)) / 10 ** instrument.digits;
        intake.tick({ source, brokerSymbol: instrument.symbol, bid, ask, brokerTimeMs: nowMs, receivedAtMs: nowMs });
      }
    }
    const flushedMs = performance.now();
    await recorder.flush();
    await bookLog.flush(FIRST_FENCE);
    await tapes.flush(FIRST_FENCE);
    flushes.push(performance.now() - flushedMs);
    for (const { symbol } of quoted) await keeper.history.bars.readSeries(symbol, "M1");
  }
  const seconds = (performance.now() - startMs) / 1_000;
  const accepted = intake.counts().accepted - acceptedBefore;
  const rate = Math.round(accepted / seconds);
  const { recorded, dropped, tooLate } = recorder.counts();
  console.log(`${SYMBOLS} symbols × ${SOURCES.length} sources, journal: ${journal}`);
  console.log(`${rate.toLocaleString("en")} ticks a second (target ${TARGET.toLocaleString("en")})`);
  const slowest = Math.max(...flushes.slice(WARM_UP_SECONDS));
  const megabytes = Math.round(process.memoryUsage().rss / 2 ** 20);
  console.log(
    `the slowest batch took ${slowest.toFixed(1)} ms; ${megabytes} MB resident, ${instruments.length} instruments`,
  );
  console.log(`${accepted} accepted, ${recorded} seconds recorded, ${dropped + tooLate} lost`);
  if (keepsTicks && database !== null) await measureTapes(database.pool, tapes);
}

/** Prints how long joining the ticks takes, and their size then. */
async function measureTapes(pool: Pool, tapes: TapeWriter): Promise<void> {
  const startMs = performance.now();
  await tapes.join(FIRST_FENCE);
  const seconds = (performance.now() - startMs) / 1_000;
  const { rows } = await pool.query<{ ticks: number; bytes: number }>(
    "SELECT sum(ticks)::float8 AS ticks, sum(length(block))::float8 AS bytes FROM tape_hour",
  );
  const { ticks = 0, bytes = 0 } = rows[0] ?? {};
  console.log(`${ticks} ticks stored, joined in ${seconds.toFixed(1)} s, ${(bytes / ticks).toFixed(2)} bytes each`);
}

/** An empty database, so that bars begin with the ticks recorded here. */
const emptyPool = { query: async () => ({ rows: [], rowCount: 0 }) } as unknown as Pool;
/** A database that acknowledges each row of the log. */
const logPool = { query: async () => ({ rows: [{ id: "1", until: null }], rowCount: 1 }) } as unknown as Pool;

await main();
