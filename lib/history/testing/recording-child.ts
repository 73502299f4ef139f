import { openSync, writeSync } from "node:fs";
import { packBars } from "@/lib/history/bars/bar-packs";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { startRecording } from "@/lib/history/recording/recording";
import { readKeptTicks } from "@/lib/history/tapes/kept-ticks";
import { TapeWriter } from "@/lib/history/tapes/tape-writer";
import { listTicks, MARKET_SPEED } from "@/lib/history/testing/recorded-market";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import { openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { repeat } from "@/lib/platform/timing/repeat";
import { DAY_MS } from "@/lib/time/units";

/**
 * A recorder in its own process, which tests kill and pause: `recording-child.ts <data folder> <database or -> <ledger>
 * <start of its market's time> [<moment of that start>]`. Its market's hours pass in a second. It appends acknowledged
 * data to the ledger, one line each: every row found at the start, "ready", and every row recorded from then on. It keeps
 * every tick, and one that is killed packs its bars all the time.
 * Recorders that get the same moment receive the same prices at the same time, and one of them records.
 */

const ROUND_MS = 5;
const PACK_MS = 50;
/** Bars of days that are not over are packed too, and then replaced. */
const PACKED_EARLY_MS = 3 * DAY_MS;
const LONGEST_GAP_SECONDS = 2 * MARKET_SPEED;

async function main([dataDir = "", databaseUrl = "-", ledgerPath = "", startText = "", originText]: string[]) {
  const startMs = Number(startText);
  const originMs = Number(originText ?? Date.now());
  const marketNow = () => Math.floor(startMs + (Date.now() - originMs) * MARKET_SPEED);
  const ledger = openSync(ledgerPath, "a");
  const append = (what: string, rows: readonly SecondRow[]) =>
    // In one write, so that only the very last line can be incomplete.
    rows.length > 0 && writeSync(ledger, rows.map((row) => `${what} ${JSON.stringify(row)}\n`).join(""));

  const database = await openDatabase({
    dataDir,
    databaseUrl: databaseUrl === "-" ? undefined : databaseUrl,
    log: silentLog,
  });
  const { pool } = database;
  const keeper = new HistoryKeeper({ pool, instruments, marketNow });
  await keeper.restore();
  for (const { symbol } of instruments) {
    for (const { hourMs, updates } of keeper.openHours.getHours(symbol)) {
      for (const at of updates.keys()) {
        const row = keeper.openHours.readSecond(symbol, hourMs / 1000 + at);
        if (row !== undefined) append("found", [row]);
      }
    }
  }
  keeper.follow({ onRecorded: (rows) => append("recorded", rows), onClosed: () => {}, onRewritten: () => {} });
  const recording = await startRecording({
    pool,
    keeper,
    servedSource: () => "broker",
    marketNow,
    marketElapsed: marketNow,
    log: silentLog,
    isExclusive: originText === undefined,
    flushMs: 20,
  });
  const kept = readKeptTicks(["all"], catalogResolver);
  const tapes = new TapeWriter({ pool, kept, servedSource: () => "broker", marketNow, log: silentLog });
  const taping = await recording.whileRecording.run((fence) => tapes.run(fence));
  // As often as possible, so that a kill comes at any moment of it. Two recorders have enough to do.
  const packing = repeat(
    async () => void (await packBars(pool, instruments, { nowMs: marketNow() + PACKED_EARLY_MS, limit: 5 })),
    {
      pauseMs: PACK_MS,
      onFailure: () => {},
      onRecovery: () => {},
    },
  );
  if (originText === undefined) packing.start();
  writeSync(ledger, "ready\n");

  let second = Math.ceil(marketNow() / 1000);
  setInterval(() => {
    // A venue sends nothing again after a pause: it has closed the connection.
    if (marketNow() / 1_000 - second > LONGEST_GAP_SECONDS) second = Math.ceil(marketNow() / 1_000);
    for (const untilSecond = marketNow() / 1000; second < untilSecond; second++) {
      for (const { timeMs, ...tick } of listTicks(second)) {
        const quote = { source: "broker", ...tick, timeMs, receivedAtMs: timeMs };
        recording.onQuote(quote);
        tapes.onQuote(quote);
      }
    }
  }, ROUND_MS);
  process.on("SIGTERM", () => {
    packing.stop();
    void Promise.resolve(taping.stop())
      .then(() => recording.stop())
      .then(() => database.close())
      .then(() => process.exit(0));
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
