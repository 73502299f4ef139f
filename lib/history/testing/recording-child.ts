import { openSync, writeSync } from "node:fs";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { startRecording } from "@/lib/history/recording/recording";
import { listTicks, MARKET_SPEED } from "@/lib/history/testing/recorded-market";
import { instruments } from "@/lib/market/catalog";
import { openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";

/**
 * A recorder in its own process, which tests kill and pause: `recording-child.ts <data folder> <database or -> <ledger>
 * <start of its market's time> [<moment of that start>]`. Its market's hours pass in a second. It appends acknowledged
 * data to the ledger, one line each: every row found at the start, "ready", and every row recorded from then on.
 * Recorders that get the same moment receive the same prices at the same time, and one of them records.
 */

const ROUND_MS = 5;
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
  writeSync(ledger, "ready\n");

  let second = Math.ceil(marketNow() / 1000);
  setInterval(() => {
    // A venue sends nothing again after a pause: it has closed the connection.
    if (marketNow() / 1_000 - second > LONGEST_GAP_SECONDS) second = Math.ceil(marketNow() / 1_000);
    for (const untilSecond = marketNow() / 1000; second < untilSecond; second++) {
      for (const { timeMs, ...tick } of listTicks(second)) {
        recording.onQuote({ source: "broker", ...tick, timeMs, receivedAtMs: timeMs });
      }
    }
  }, ROUND_MS);
  process.on("SIGTERM", () => {
    void recording
      .stop()
      .then(() => database.close())
      .then(() => process.exit(0));
  });
}

main(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
