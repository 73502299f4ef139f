import { setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { findKind } from "@/lib/feeds/kinds";
import type { BackfillMessage, BackfillTask } from "@/lib/history/backfill/backfill";
import { fillSymbol, toHourColumns, workThrough } from "@/lib/history/backfill/fill-symbol";
import { listCauses, waitForClosed } from "@/lib/history/backfill/open-hour";
import type { ReadPast } from "@/lib/history/backfill/zones";
import { instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { loadConfig } from "@/lib/platform/config";
import { joinDatabase } from "@/lib/platform/database/database";
import { describeFault } from "@/lib/platform/database/database-errors";
import { silentLog } from "@/lib/platform/log/log";
import { HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "@/lib/time/units";

/**
 * Back-fills in a separate thread, because it computes for minutes and must not delay prices. It has its own feed,
 * which is never started but only queried, and its own database connection.
 */

const { endMs, startedAtMs, past, outages } = workerData as BackfillTask;
const send = (message: BackfillMessage) => parentPort?.postMessage(message);
const NICE = 10;
/** An hour is closed soon after its end. One that cannot be must not hold up all others. */
const closedByMs = performance.now() + 5 * MINUTE_MS;

async function main(): Promise<void> {
  // On Linux the priority applies to this thread only; elsewhere it would slow down the whole process.
  if (process.platform === "linux") setPriority(NICE);
  const config = loadConfig(process.env);
  const now = () => startedAtMs;
  const quoted = instruments.filter(({ symbol }) => past.symbols.includes(symbol));
  const { dataDir } = config;
  const unused = { storedUntilMs: null, log: silentLog, recorder: null, prices: undefined };
  const context = { now, monotonic: now, instruments: quoted, dataDir, ...unused };
  const feed = findKind(past.setting.kind)?.create({ ...past.setting, ...context });
  const ordered = sortMostTradedFirst(quoted);

  /** Reads past prices of the first source that quotes the symbol. */
  function openPast(symbol: string): { readonly source: string; readonly read: ReadPast } {
    const quotes = (source: string) => !isEmpty(feed?.history?.(symbol, source, endMs - WEEK_MS, endMs, HOUR_MS) ?? []);
    const source = past.sources.find(quotes);
    const read: ReadPast = (fromMs, toMs, stepMs) =>
      (source && feed?.history?.(symbol, source, fromMs, toMs, stepMs)) || [];
    return { source: source ?? "", read };
  }

  // All open hours come first: filling the past of all symbols takes minutes.
  for (const instrument of ordered) {
    const { source, read } = openPast(instrument.symbol);
    for (const columns of toHourColumns(instrument, read(endMs, startedAtMs, SECOND_MS))) {
      send({ type: "open hour", columns, source });
    }
  }
  await workThrough(ordered, {
    open: () => joinDatabase({ databaseUrl: config.databaseUrl, dataDir, log: silentLog }),
    onInterrupted: (error: unknown) => send({ type: "interrupted", reason: describeFault(error) }),
    retryMs: SECOND_MS,
    async work(client, instrument) {
      await waitForClosed(client, instrument.symbol, endMs, closedByMs);
      const { source, read } = openPast(instrument.symbol);
      const outcome = await fillSymbol(client, instrument, read, { endMs, findCause: listCauses(outages, source) });
      send({ type: "symbol", symbol: instrument.symbol, isNew: outcome === "filled" });
    },
  });
}

const MOST_TRADED = ["EURUSD", "USDJPY", "GBPUSD", "XAUUSD", "BTCUSD", "US500", "AUDUSD", "USDCAD", "USDCHF", "NZDUSD"];

function sortMostTradedFirst(all: readonly Instrument[]): Instrument[] {
  const rank = ({ symbol }: Instrument) => (MOST_TRADED.includes(symbol) ? MOST_TRADED.indexOf(symbol) : Infinity);
  return [...all].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(a) - rank(b)));
}

function isEmpty(prices: Iterable<unknown>): boolean {
  return prices[Symbol.iterator]().next().done === true;
}

await main();
