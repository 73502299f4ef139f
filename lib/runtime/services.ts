import { createDirectory } from "@/lib/access/admission/directory";
import { openRedisWindows } from "@/lib/access/admission/redis-windows";
import { localWindows, type Windows } from "@/lib/access/admission/windows";
import { createAccess } from "@/lib/access/create-access";
import { createFeedTokens } from "@/lib/access/keys/feed-token";
import { loadSessionSecret } from "@/lib/access/sign-in/session-secret";
import { createUsage } from "@/lib/access/usage/usage";
import { Heatmaps } from "@/lib/analytics/strength/heatmaps";
import type { Book } from "@/lib/book/book";
import { createCalendar } from "@/lib/calendar/calendar";
import type { Report } from "@/lib/calendar/event";
import { createEventStore, type ReportOutcome } from "@/lib/calendar/event-store";
import type { FeedSource } from "@/lib/feeds/feed";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import { instruments } from "@/lib/market/catalog";
import type { Sessions } from "@/lib/market/sessions/sessions";
import { catalogResolver } from "@/lib/market/symbols/catalog-resolver";
import { type Clock, systemClock } from "@/lib/platform/clock";
import { type Config, loadConfig } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database";
import { createLog, type Logger } from "@/lib/platform/log";
import { watchVitals } from "@/lib/platform/vitals";

/** The settings and the log of this process. */
export function openProcess() {
  const config = loadConfig(process.env);
  return { config, ...createLog(config.logLevel) };
}

/** The windows of a process that answers calls. */
export function openWindows({ config, log }: { config: Config; log: Logger }): Windows {
  return config.redis === null ? localWindows : openRedisWindows(config.redis, { now: systemClock, log });
}

interface Parts extends ReturnType<typeof openProcess> {
  readonly database: Database;
  readonly sources: readonly FeedSource[];
  readonly marketNow: Clock;
  readonly book: Book;
  readonly sessions: Sessions;
  readonly keeper: HistoryKeeper;
  readonly windows: Windows;
  /** Resolves once the other process has loaded the latest changes of accounts and keys. */
  readonly refreshOther: () => Promise<void>;
}

/** Starts the services of every process: accounts and keys, usage, the calendar. Prices and history are passed in. */
export async function startServices(parts: Parts) {
  const { config, log, logRequest, flush, database, sources, marketNow, book, sessions, keeper, windows } = parts;
  const now = systemClock;
  const directory = createDirectory(database, { now, log });
  const usage = createUsage(database, { now, log, directory });
  const calendar = createCalendar(database, { log });
  const events = createEventStore(database);
  await directory.start();
  await usage.start();
  await windows.start();
  await calendar.start();
  // A change is acknowledged once both processes have loaded it, so that a revoked key is refused from then on.
  const refresh = async () => void (await Promise.all([directory.refresh(), parts.refreshOther()]));
  const sessionSecret = config.sessionSecret ?? (await loadSessionSecret(database));
  const access = createAccess(database, { now, directory: { refresh }, sessionSecret, signUp: config.signUp });
  const stopping = new AbortController();
  return {
    ...access,
    config,
    log,
    logRequest,
    now,
    marketNow,
    publicUrl: config.publicUrl,
    database,
    feedTokens: createFeedTokens(sessionSecret),
    instruments,
    resolver: catalogResolver,
    sessions,
    sources,
    book,
    calendar,
    async reportEvents(report: Report): Promise<ReportOutcome> {
      const outcome = await events.report(report);
      await calendar.refresh();
      return outcome;
    },
    ingestToken: config.ingestToken,
    history: keeper.history,
    keepDays: config.keepDays,
    heatmaps: new Heatmaps(keeper.history.bars),
    directory,
    usage,
    windows,
    /** Aborted when the process is about to end: endless streams must not delay it. */
    stopping: stopping.signal,
    endStreams: () => stopping.abort(),
    /** The state of this process. */
    vitals: watchVitals(),
    async checkDatabase(): Promise<void> {
      await database.pool.query("select 1");
    },
    /** Stops what `startServices` started, then the database and the log. */
    async stop(): Promise<void> {
      calendar.stop();
      directory.stop();
      await windows.stop();
      await usage.stop();
      await database.close();
      await flush();
    },
  };
}
