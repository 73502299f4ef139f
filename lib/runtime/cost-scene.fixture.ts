import type { Pool } from "pg";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { localWindows } from "@/lib/access/admission/windows";
import { NO_LIMIT } from "@/lib/access/plans";
import { cheapPasswords, someAccount, someKey } from "@/lib/access/testing/test-accounts";
import type { Services } from "@/lib/api/engine/services";
import { createBook } from "@/lib/book/book";
import { createEventStore } from "@/lib/calendar/event-store";
import { listSimulatedPast } from "@/lib/calendar/simulated/simulated-connector";
import { brokers } from "@/lib/feeds/simulated/brokers";
import { createSimulatedFeed, type SimulatedFeed } from "@/lib/feeds/simulated/simulated-feed";
import { BookLog } from "@/lib/history/as-of/book-log";
import { fillSymbol } from "@/lib/history/backfill/fill-symbol";
import { rememberBars } from "@/lib/history/bars/bar-memory";
import { packBars } from "@/lib/history/bars/bar-packs";
import { UnfilledGaps } from "@/lib/history/gaps/gap-rows";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { Origins } from "@/lib/history/origins";
import { FIRST_FENCE } from "@/lib/history/recording/lease.fixture";
import { instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { toPoints } from "@/lib/market/price";
import { createSessions } from "@/lib/market/sessions/sessions";
import { loadConfig } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { openTestDatabase } from "@/lib/platform/testing/databases";
import { UnreadableAddresses } from "@/lib/platform/unreadable-addresses";
import { startServices } from "@/lib/runtime/services";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A server of one process without sockets, with the past that a simulated market has on a new installation. */
export interface CostScene {
  readonly services: Services;
  /** The secret of a key of an account without limits. */
  readonly key: string;
  /** The market clock, which stands still: UTC milliseconds. */
  readonly nowMs: number;
  /** The seconds in which every price is in the log: [from, until), UTC milliseconds. */
  readonly logged: { readonly fromMs: number; readonly untilMs: number };
  /** Symbols with a past. */
  readonly symbols: readonly string[];
  /** Drops what is in memory of the history, as an import does. */
  forget(): void;
  close(): Promise<void>;
}

/** A Wednesday, in an hour that has begun and is open. */
const NOW_MS = Date.parse("2026-03-04T14:07:00Z");
/** How long prices were recorded, in the hour that is open. */
const RECORDED_MS = 7 * MINUTE_MS;
/** How many of those seconds are in the log. */
const LOGGED_SECONDS = 90;
/** The tables of a symbol's past. */
const TABLES = ["bar", "bar_pack", "bar_memory", "tick_hour", "hour_proof", "spread_hour"];

/** @param count how many symbols have a past, the first ones of the catalog; all unless given */
export async function openCostScene(count: number = instruments.length): Promise<CostScene> {
  const testDatabase = await openTestDatabase();
  const { pool } = testDatabase.db;
  const { seed } = loadConfig({}).simulated;
  const feed = createSimulatedFeed({ seed, hours: "market", instruments, now: () => NOW_MS });
  const known = instruments.slice(0, count);
  await fillPast(pool, feed, known);
  const events = createEventStore(testDatabase.db);
  for (const past of listSimulatedPast(seed, NOW_MS)) await events.report(past);

  const marketNow = () => NOW_MS;
  const { sources } = feed;
  const config = loadConfig({ SPOTLINE_DATA_DIR: testDatabase.dataDir });
  const sessions = createSessions(config.sessions);
  const book = createBook({ sources, now: marketNow });
  const keeper = new HistoryKeeper({ pool, instruments, sources, sessions, marketNow });
  const bookLog = new BookLog({ pool, findGapMs: book.findGapMs, marketNow: () => clockMs, log: silentLog });
  let clockMs = NOW_MS - LOGGED_SECONDS * SECOND_MS;
  const recorded = known.flatMap((instrument) =>
    [...feed.history(instrument.symbol, "alpha-markets", NOW_MS - RECORDED_MS, NOW_MS, SECOND_MS)].map((price) => {
      const { symbol, digits } = instrument;
      const [bid, ask] = [toPoints(price.bid, digits), toPoints(price.ask, digits)];
      const prices = { bid, ask, open: bid, high: bid, low: bid };
      return { symbol, digits, second: price.timeMs / SECOND_MS, ...prices, updates: price.updates };
    }),
  );
  keeper.onRecorded(recorded, NOW_MS);
  for (; clockMs <= NOW_MS; clockMs += SECOND_MS) {
    for (const instrument of known) {
      for (const { name } of brokers) {
        const price = feed.priceAt(instrument.symbol, name, clockMs);
        if (price === undefined) continue;
        const quote = { source: name, instrument, ...price, timeMs: clockMs - 1, receivedAtMs: clockMs - 1 };
        book.accept(quote);
        bookLog.onQuote(quote as never);
      }
    }
    await bookLog.flush(FIRST_FENCE);
  }
  bookLog.end();

  const origins = new Origins({ pool, log: silentLog, readFence: () => null });
  const gaps = new UnfilledGaps({ pool, log: silentLog });
  const secret = await createKey(testDatabase.db);
  const services = await startServices({
    ...{ config, log: silentLog, flush: async () => {}, calls: null, noteCall: () => {} },
    unreadable: new UnreadableAddresses({ log: silentLog, now: Date.now }),
    database: testDatabase.db,
    ...{ listSources: () => sources, marketNow, isInPast: false, book, sessions, keeper },
    ...{ replica: null, origins, terminals: null, gaps, windows: localWindows, refreshOther: async () => {} },
  });
  return {
    services: { ...services, readHealth: () => ({ status: "ok", components: {} }) } as unknown as Services,
    ...{ key: secret, nowMs: NOW_MS, symbols: known.map(({ symbol }) => symbol) },
    logged: { fromMs: NOW_MS - LOGGED_SECONDS * SECOND_MS, untilMs: NOW_MS },
    forget: () => keeper.onRewritten(),
    async close() {
      await services.stop();
      await testDatabase.remove();
    },
  };
}

/** Fills the past of one symbol of each category, and copies it to the others. */
async function fillPast(pool: Pool, feed: SimulatedFeed, known: readonly Instrument[]): Promise<void> {
  const endMs = Math.floor(NOW_MS / HOUR_MS) * HOUR_MS;
  const filled = new Map(known.toReversed().map((each) => [each.category, each]));
  const client = await pool.connect();
  for (const instrument of filled.values()) {
    const read = (fromMs: number, toMs: number, stepMs: number) =>
      feed.history(instrument.symbol, "alpha-markets", fromMs, toMs, stepMs);
    await fillSymbol(client, instrument, read, { endMs, findCause: () => ({ kind: "recorded" }) });
  }
  client.release();
  const keeper = new HistoryKeeper({ pool, instruments, marketNow: () => endMs });
  keeper.onRecorded([], endMs);
  await rememberBars(pool, [...filled.values()], keeper.findGrowthStarts());
  await packBars(pool, [...filled.values()], { nowMs: endMs, limit: Infinity });
  const others = known.filter((each) => filled.get(each.category) !== each);
  const from = others.map(({ category }) => filled.get(category)?.symbol ?? "");
  for (const table of TABLES) {
    const { rows } = await pool.query<{ name: string }>(
      "SELECT column_name AS name FROM information_schema.columns WHERE table_name = $1 AND column_name <> 'symbol'",
      [table],
    );
    if (rows.length === 0) continue;
    const names = rows.map(({ name }) => `"${name}"`);
    await pool.query({
      text: `INSERT INTO ${table} (symbol, ${names.join(", ")})
             SELECT copied.symbol, ${names.map((name) => `original.${name}`).join(", ")}
               FROM unnest($1::text[], $2::text[]) AS copied (symbol, copied_from)
                    JOIN ${table} AS original ON original.symbol = copied.copied_from`,
      values: [others.map(({ symbol }) => symbol), from],
      query_timeout: 600_000,
    } as { text: string; values: unknown[] });
  }
}

async function createKey(db: Database): Promise<string> {
  const { id } = await someAccount(db, "enterprise");
  const accounts = createAccounts(db, { now: Date.now, passwords: cheapPasswords });
  await accounts.setLimits(id, { perMinute: NO_LIMIT, perDay: NO_LIMIT });
  return (await someKey(db, id)).secret;
}
