import { type Counters, readCounters } from "@/lib/access/admission/counters";
import { createDirectory } from "@/lib/access/admission/directory";
import { openRedisWindows } from "@/lib/access/admission/redis-windows";
import { localWindows } from "@/lib/access/admission/windows";
import { createAccess } from "@/lib/access/create-access";
import { createFeedTokens } from "@/lib/access/keys/feed-token";
import { startNoticeWatch } from "@/lib/access/notices/notice-watch";
import { loadSessionSecret } from "@/lib/access/sign-in/session-secret";
import { createUsage } from "@/lib/access/usage/usage";
import { createHeatmaps } from "@/lib/analytics/strength/heatmaps";
import { type BookUpdate, createBook } from "@/lib/book/book";
import { openPrices, type Prices } from "@/lib/book/prices";
import { createCalendar } from "@/lib/calendar/calendar";
import { startConnectors } from "@/lib/calendar/start-connectors";
import { type Backfill, startBackfill } from "@/lib/history/backfill/backfill";
import { createHistory, type HistoryKeeper } from "@/lib/history/create-history";
import { type Recording, startRecording } from "@/lib/history/recording";
import { startRetention } from "@/lib/history/retention";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { createResolver } from "@/lib/market/resolver";
import { createSessions, type Sessions } from "@/lib/market/sessions";
import { linkToServer, type ServerLink } from "@/lib/pages/server-link";
import type { ServerStatus } from "@/lib/pages/server-status";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { type Database, joinDatabase, openDatabase } from "@/lib/platform/database";
import { createLog } from "@/lib/platform/log";
import { watchVitals } from "@/lib/platform/vitals";

/**
 * The composition root: the only file that knows every concrete part and the order in which they start and stop.
 * The server opens the feed and the database; the process that renders its pages follows the server's prices and
 * joins its database. Both have everything else alike.
 */

export type Runtime = Awaited<ReturnType<typeof startServices>>;

const KEY = Symbol.for("spotline.runtime");
const shared = globalThis as typeof globalThis & { [KEY]?: Promise<Runtime> };

/**
 * The one runtime of this process. Next bundles a second copy of everything under lib/ for its pages and route
 * handlers, so it is shared through globalThis. Under a plain `next start` nobody has started it, and it is complete.
 */
export function getRuntime(): Promise<Runtime> {
  // A page that is rendered while building would open the operator's database, and freeze what it found.
  if (process.env.NEXT_PHASE === "phase-production-build") throw new Error("There is no runtime while building.");
  return (shared[KEY] ??= startServerRuntime({ behindOwnServer: false }));
}

/** Everything, with the feed running. `behindOwnServer` says whether the pages' callers are vouched for. */
export async function startServerRuntime({ behindOwnServer }: { behindOwnServer: boolean }) {
  const { config, log, ...logs } = startLog();
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  const prices = openPrices(config, log);
  const sessions = createSessions(config.sessions);
  const { marketNow, sources } = prices;
  const keeper = createHistory({ pool: database.pool, instruments, sources, sessions, marketNow });
  const { servedSource } = prices.book;
  const recording = await startRecording({ pool: database.pool, keeper, instruments, servedSource, marketNow, log });
  prices.onQuote(recording.onQuote);
  prices.onQuote(keeper.onQuote);
  await prices.start();
  const sourceNames = sources.map(({ name }) => name);
  const backfill = prices.canTellPast
    ? startBackfill({ pool: database.pool, keeper, sources: sourceNames, symbols: instruments.length, marketNow, log })
    : null;
  const symbols = instruments.map(({ symbol }) => symbol);
  const { keepDays } = config;
  const retention = startRetention({ pool: database.pool, keeper, symbols, keepDays, marketNow, log });
  const parts = { config, log, ...logs, database, sessions, prices, keeper };
  return startServices({ ...parts, recorded: { recording, backfill, retention }, link: null, behindOwnServer });
}

/** What the pages need, in the process that the server has forked for them. */
export async function startPagesRuntime() {
  const link = await linkToServer(systemClock);
  const { config, log, ...logs } = startLog();
  const database = await joinDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  const { sources, marketNow } = link;
  const book = createBook({ instruments, sources, now: marketNow });
  const sessions = createSessions(config.sessions);
  const keeper = createHistory({ pool: database.pool, instruments, sources, sessions, marketNow });
  await keeper.readJournal();
  const onQuote = (quote: BookUpdate) => {
    book.accept(quote);
    keeper.onQuote(quote);
  };
  link.follow(onQuote, instrumentBySymbol);
  keeper.onRecorded([], marketNow());
  link.followHistory(keeper);
  const prices = { sources, marketNow, book, onQuote: () => {}, feeds: () => [], stop: async () => {} };
  const parts = { config, log, ...logs, database, sessions, prices, keeper, recorded: null };
  const runtime = startServices({ ...parts, link, behindOwnServer: true });
  shared[KEY] = runtime;
  return { runtime: await runtime, link };
}

function startLog() {
  const config = loadConfig(process.env);
  const { log, logRequest, flush } = createLog(config.logLevel);
  return { config, log, logRequest, flushLog: flush };
}

async function startServices(
  parts: ReturnType<typeof startLog> & {
    readonly database: Database;
    readonly sessions: Sessions;
    readonly prices: Prices;
    readonly keeper: HistoryKeeper;
    /** What is at work on history; null where another process records. */
    readonly recorded: {
      readonly recording: Recording;
      /** Null where the feed cannot tell the past. */
      readonly backfill: Backfill | null;
      readonly retention: { stop(): void };
    } | null;
    readonly link: ServerLink | null;
    readonly behindOwnServer: boolean;
  },
) {
  const { config, log, logRequest, flushLog } = parts;
  const { database, sessions, prices, keeper, recorded, link, behindOwnServer } = parts;
  const now = systemClock;
  const directory = createDirectory(database, { now, log });
  const usage = createUsage(database, { now, log, directory });
  const calendar = createCalendar(database, { log });
  // The server does, unless Next is to; then the pages do. Under a plain `next start` all of it is one process.
  const answersCalls = link === null ? config.v1Host === "node" || !behindOwnServer : config.v1Host === "next";
  const countsCalls = link === null || answersCalls;
  const windows = countsCalls && config.redis !== null ? openRedisWindows(config.redis, { now, log }) : localWindows;
  await directory.start();
  await usage.start();
  await windows.start();
  await calendar.start();
  // One process brings events in; the pages follow the database.
  const connectors = link === null ? await startConnectors({ config, database, calendar, now, log }) : null;
  // A change is acknowledged once both processes know of it, so that a revoked key is refused from that moment on.
  const refresh = async () => void (await Promise.all([directory.refresh(), link?.refresh()]));
  const stopping = new AbortController();
  const sessionSecret = config.sessionSecret ?? (await loadSessionSecret(database));
  const access = createAccess(database, { now, directory: { refresh }, sessionSecret, signUp: config.signUp });
  const vitals = watchVitals();
  const watched = { config, directory, notices: access.notices, now, log };
  // What it watches are the counters that the limits go by.
  const noticeWatch = answersCalls ? await startNoticeWatch(watched) : null;
  return {
    ...access,
    config,
    log,
    logRequest,
    now,
    marketNow: prices.marketNow,
    publicUrl: config.publicUrl,
    database,
    feedTokens: createFeedTokens(sessionSecret),
    instruments,
    resolver: createResolver(instruments),
    sessions,
    sources: prices.sources,
    book: prices.book,
    onQuote: prices.onQuote,
    calendar,
    history: keeper.history,
    keepDays: config.keepDays,
    onHistory: keeper.follow,
    heatmaps: createHeatmaps(keeper.history.bars),
    saveHistory: keeper.save,
    directory,
    usage,
    windows,
    /** What the limits of an account go by. */
    counters(accountId: string): Promise<Counters> {
      if (link !== null && !answersCalls) return link.counters(accountId);
      return readCounters({ directory, windows, now }, accountId);
    },
    /** Whether our own server stands before Next, rather than a plain `next start`. */
    behindOwnServer,
    /** Aborted when the process is about to end: streams that would go on for ever must not hold it up. */
    stopping: stopping.signal,
    endStreams: () => stopping.abort(),
    /** What the server is doing; null in the pages' process until the server has told it. */
    serverStatus(): ServerStatus | null {
      if (link !== null) {
        const told = link.status();
        return told !== null && answersCalls ? { ...told, traffic: usage.traffic() } : told;
      }
      if (recorded === null) return null;
      const backfill = recorded.backfill?.progress() ?? { phase: "off", done: 0, total: 0 };
      const recording = { feeds: prices.feeds(), recorder: recorded.recording.counts(), backfill };
      return { ...recording, traffic: usage.traffic(), vitals: vitals() };
    },
    /** How this process is doing. */
    vitals,
    async checkDatabase(): Promise<void> {
      await database.pool.query("select 1");
    },
    /** Stops in the order that loses nothing: prices first, then what has been counted, then the database. */
    async stop(): Promise<void> {
      await prices.stop();
      connectors?.stop();
      calendar.stop();
      noticeWatch?.stop();
      recorded?.retention.stop();
      await recorded?.backfill?.stop();
      await recorded?.recording.stop();
      const lost = (error: unknown) => log.error({ err: error }, "the sources' latest spreads are lost");
      if (recorded !== null) await keeper.save().catch(lost);
      directory.stop();
      await windows.stop();
      await usage.stop();
      await database.close();
      await flushLog();
    },
  };
}
