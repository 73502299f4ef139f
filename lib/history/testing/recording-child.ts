import { openSync, writeSync } from "node:fs";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import type { SecondRow } from "@/lib/history/hour-columns";
import { startRecording } from "@/lib/history/recording/recording";
import { instruments } from "@/lib/market/catalog";
import { openDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";

/**
 * A recorder in its own process, which tests kill: `recording-child.ts <data folder> <database or -> <ledger> <start of
 * its market's time>`. Its market's hours pass in a second. It appends acknowledged data to the ledger, one line each:
 * every row found at the start, "ready", and every row recorded from then on.
 */

const SPEED = 3_600;
const ROUND_MS = 5;
/** Each symbol ticks once in this many seconds of market time, and sometimes twice in that second. */
const PACE_SECONDS = 10;

async function main([dataDir = "", databaseUrl = "-", ledgerPath = "", startText = ""]: string[]): Promise<void> {
  const startMs = Number(startText);
  const processStartMs = Date.now();
  const marketNow = () => Math.floor(startMs + (Date.now() - processStartMs) * SPEED);
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
    instruments,
    servedSource: () => "broker",
    marketNow,
    marketElapsed: marketNow,
    log: silentLog,
    isExclusive: true,
    flushMs: 20,
  });
  writeSync(ledger, "ready\n");

  let second = Math.ceil(marketNow() / 1000);
  setInterval(() => {
    for (const untilSecond = marketNow() / 1000; second < untilSecond; second++) {
      for (const [at, instrument] of instruments.slice(0, 5).entries()) {
        if ((second + at) % PACE_SECONDS !== 0) continue;
        const scale = 10 ** instrument.digits;
        for (let update = 0; update <= second % 3; update++) {
          const points = 100_000 + ((second * 31 + update * 17 + at) % 997);
          const timeMs = second * 1000 + update;
          const price = { bid: points / scale, ask: (points + 9) / scale };
          recording.onQuote({ source: "broker", instrument, ...price, timeMs, receivedAtMs: timeMs });
        }
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
