import { setMaxListeners } from "node:events";
import type { Pool } from "pg";
import { createDirectory } from "@/lib/access/admission/directory";
import { localWindows, type Windows } from "@/lib/access/admission/windows";
import { createAccess } from "@/lib/access/create-access";
import { createExportControl } from "@/lib/access/export-control";
import { createSignedIds, FEED_TOKENS, LINK_TOKENS } from "@/lib/access/keys/signed-ids";
import { createKeyUses } from "@/lib/access/notices/key-uses";
import { createRequestLog } from "@/lib/access/requests/request-log";
import { loadSessionSecret } from "@/lib/access/sign-in/tickets";
import { createUsage } from "@/lib/access/usage/usage";
import { createAlerts } from "@/lib/alerts/alerts";
import { createPushDevices } from "@/lib/alerts/push-devices";
import { createWebhooks } from "@/lib/alerts/webhooks";
import { Heatmaps } from "@/lib/analytics/strength/heatmaps";
import { checkTableLink, TABLE_ENDPOINTS } from "@/lib/api/check-link";
import { createCors } from "@/lib/api/engine/cors";
import type { Services } from "@/lib/api/engine/services";
import { keyedEndpoints, keyPaths, matchPath } from "@/lib/api/registry";
import type { Book } from "@/lib/book/book";
import { createCalendar } from "@/lib/calendar/calendar";
import type { Report } from "@/lib/calendar/event";
import { createEventStore, type ReportOutcome } from "@/lib/calendar/event-store";
import { Moves } from "@/lib/calendar/reaction";
import { hideUnreleased } from "@/lib/calendar/unreleased";
import { ExportStore } from "@/lib/export/export-store";
import { createFileLinks } from "@/lib/export/file-links";
import type { FeedSource } from "@/lib/feeds/feed";
import { AsOf } from "@/lib/history/as-of/as-of";
import type { UnfilledGaps } from "@/lib/history/gaps/gap-rows";
import type { HistoryKeeper } from "@/lib/history/history-keeper";
import type { Origins } from "@/lib/history/origins";
import { PriceDigits } from "@/lib/history/price-digits";
import { QualityReader } from "@/lib/history/quality/quality-reader";
import { type KeptRequest, readKeptTimes, readTapes, type TapeRequest } from "@/lib/history/tapes/tape-history";
import { instruments } from "@/lib/market/catalog";
import { catalogResolver } from "@/lib/market/catalog-resolver";
import type { Instrument } from "@/lib/market/instrument";
import type { Sessions } from "@/lib/market/sessions/sessions";
import { type Config, loadConfig } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import { type Read, Replica } from "@/lib/platform/database/replica";
import { createLog, type Logger } from "@/lib/platform/log/log";
import type { RequestLine } from "@/lib/platform/log/request-line";
import { createMailer } from "@/lib/platform/mail";
import { CallCounts } from "@/lib/platform/metrics/call-counts";
import { openTelemetry } from "@/lib/platform/telemetry/telemetry";
import { type Clock, systemClock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { UnreadableAddresses } from "@/lib/platform/unreadable-addresses";
import { watchVitals } from "@/lib/platform/vitals";
import { SECOND_MS } from "@/lib/time/units";

/** The settings, the log and the telemetry of this process. Throws an Error that names a wrong setting. */
export function openProcess(part: "server" | "pages" = "server") {
  const settings = loadConfig(process.env);
  for (const path of settings.accessLog.paths.keys()) {
    if (path !== "unmatched" && matchPath(path)?.path !== path) {
      throw new Error(`SPOTLINE_ACCESS_LOG names ${path}, which is not the path of an endpoint.`);
    }
  }
  const telemetry = openTelemetry(process.env, part, (message, error) => log.warn({ err: error }, message));
  const { log, logRequest, flush } = createLog(settings.logLevel, settings.accessLog, telemetry?.noteLine);
  const unreadable = new UnreadableAddresses({ log, now: systemClock });
  const config: Config = {
    ...settings,
    trustedProxies: { ...settings.trustedProxies, onUnreadable: unreadable.report },
  };
  const calls = config.metrics === null ? null : new CallCounts();
  const noteCall = (line: RequestLine): void => {
    logRequest(line);
    calls?.count(line.path, line.status, line.ms);
    telemetry?.noteCall(line);
  };
  const flushAll = async (): Promise<void> => {
    await telemetry?.stop();
    await flush();
  };
  return { config, log, flush: flushAll, calls, noteCall, unreadable };
}

/** The windows of a process that answers calls. The client of Redis is loaded only where it is used. */
export async function openWindows({ config, log }: { config: Config; log: Logger }): Promise<Windows> {
  if (config.redis === null) return localWindows;
  const { openRedisWindows } = await import("@/lib/access/admission/redis-windows");
  return openRedisWindows(config.redis, { now: systemClock, log });
}

/** Opens the replica from which the history is read; null if there is none. */
export function openReplica({ config, log }: { config: Config; log: Logger }, primary: Pool): Replica | null {
  if (config.databaseReadUrl === null) return null;
  const replica = new Replica({ url: config.databaseReadUrl, primary, log });
  replica.start();
  return replica;
}

/** How often it is seen whether the usual bars are in memory, and hours were no longer written. */
const USUAL_BARS_MS = 5 * SECOND_MS;

const repeatUsualBars = (keeper: HistoryKeeper, log: Logger) =>
  repeat(() => keeper.loadUsualBars(), {
    pauseMs: USUAL_BARS_MS,
    // A database that is away or busy has its own warnings, and calls read what is missing.
    onFailure: (error) =>
      log[isDatabaseUnavailable(error) ? "info" : "warn"](
        { err: error },
        "the usual bars cannot be read; trying again",
      ),
    onRecovery: () => {},
  });

interface Parts extends ReturnType<typeof openProcess> {
  readonly database: Database;
  readonly listSources: () => readonly FeedSource[];
  readonly marketNow: Clock;
  /** Whether the market clock is that of a recording. */
  readonly isInPast: boolean;
  readonly book: Book;
  readonly sessions: Sessions;
  readonly keeper: HistoryKeeper;
  readonly replica: Replica | null;
  readonly origins: Origins;
  /** Receives what terminals push; null where no prices are received. */
  readonly terminals: Services["terminals"];
  readonly gaps: UnfilledGaps;
  readonly windows: Windows;
  /** Resolves once the other process has loaded the latest changes of accounts and keys. */
  readonly refreshOther: () => Promise<void>;
}

/** Starts the services of every process: accounts and keys, usage, the calendar. Prices and history are passed in. */
export async function startServices(parts: Parts) {
  const { config, log, noteCall, flush, database, marketNow, isInPast, book, sessions, keeper, windows } = parts;
  const now = systemClock;
  parts.unreadable.noteIn(database.pool);
  const directory = createDirectory(database, { now, log });
  const usage = createUsage(database, { now, log, directory });
  const requestLog = createRequestLog(database, { now, log });
  const stored = createCalendar(database, { log });
  const calendar = isInPast ? hideUnreleased(stored, marketNow) : stored;
  const events = createEventStore(database);
  const priceDigits = new PriceDigits({ pool: database.pool, log });
  await directory.start();
  await usage.start();
  requestLog.start();
  await windows.start();
  await calendar.start();
  await priceDigits.start();
  // A change is acknowledged once both processes have loaded it, so that a revoked key is refused from then on.
  const refresh = async () => void (await Promise.all([directory.refresh(), parts.refreshOther()]));
  const sessionSecret = config.sessionSecret ?? (await loadSessionSecret(database));
  const { signUp, maxKeyLifetimeDays } = config;
  const known = {
    refresh,
    get revision() {
      return directory.revision;
    },
  };
  const options = { now, directory: known, sessionSecret, signUp, maxKeyLifetimeDays, keyPaths, log };
  const access = createAccess(database, options);
  const read: Read = parts.replica?.read ?? ((work) => work(database.pool));
  const asOf = new AsOf({
    pool: database.pool,
    sessions,
    read,
    history: keeper.history,
    origins: parts.origins,
    listSources: parts.listSources,
    marketNow,
  });
  keeper.follow({ onRecorded() {}, onClosed: () => asOf.onClosed(), onRewritten: () => asOf.invalidate() });
  const usualBars = repeatUsualBars(keeper, log);
  const exportStore = new ExportStore(config.dataDir, config.exportBytes);
  const stopping = new AbortController();
  // Every stream listens; node warns of more than ten listeners otherwise.
  setMaxListeners(0, stopping.signal);
  return {
    ...access,
    config,
    log,
    noteCall,
    now,
    marketNow,
    url: config.url,
    publicUrl: config.publicUrl,
    cors: createCors(config.corsOrigins, directory),
    database,
    feedTokens: createSignedIds(sessionSecret, FEED_TOKENS),
    linkTokens: createSignedIds(sessionSecret, LINK_TOKENS),
    keyedEndpoints,
    keyPaths,
    tableEndpoints: TABLE_ENDPOINTS,
    checkTableLink,
    instruments,
    resolver: catalogResolver,
    mailer: config.mail && createMailer(config.mail),
    alerts: createAlerts(database, { now, book, listSources: parts.listSources }),
    webhooks: createWebhooks(database, { now, sessionSecret, rules: config.webhookRules }),
    pushDevices: createPushDevices(database, { now, sessionSecret, rules: config.webhookRules }),
    exports: createExportControl(database, { store: exportStore, now }),
    exportStore,
    fileLinks: createFileLinks(sessionSecret),
    sessions,
    listSources: parts.listSources,
    isInPast,
    book,
    calendar,
    async reportEvents(report: Report): Promise<ReportOutcome> {
      const outcome = await events.report(report);
      await calendar.refresh();
      return outcome;
    },
    ingestToken: config.ingestToken,
    terminals: parts.terminals,
    history: keeper.history,
    /** To be started where calls are answered: keeps the usual bars in memory. */
    usualBars,
    /** Every stored tick of a symbol in a range of some hours. */
    readTapes: (instrument: Instrument, range: TapeRequest) => readTapes(read, instrument, range),
    /** When the ticks of a symbol were stored. */
    readKeptTimes: (instrument: Instrument, range: KeptRequest) => readKeptTimes(read, instrument, range),
    asOf,
    quality: new QualityReader({ pool: database.pool, instruments, hasSource: (source) => book.hasSource(source) }),
    origins: parts.origins,
    gaps: parts.gaps,
    keepDays: config.keepDays,
    heatmaps: new Heatmaps(keeper.history.bars),
    moves: new Moves({ history: keeper.history, now: marketNow }),
    directory,
    keyUses: createKeyUses(),
    usage,
    requestLog,
    streams: null,
    windows,
    /** Aborted when the process is about to end: endless streams must not delay it. */
    stopping: stopping.signal,
    endStreams: () => stopping.abort(),
    /** The state of this process. */
    vitals: watchVitals(log),
    /** Stops what `startServices` started, then the database and the log. */
    async stop(): Promise<void> {
      usualBars.stop();
      calendar.stop();
      access.refusedSignIns.stop();
      directory.stop();
      await windows.stop();
      await parts.origins.stop();
      parts.gaps.stop();
      priceDigits.stop();
      await usage.stop();
      await Promise.all([requestLog.stop(), parts.replica?.stop()]);
      await database.close();
      await flush();
    },
  };
}
