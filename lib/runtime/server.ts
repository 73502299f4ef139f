import { join } from "node:path";
import { readCounters } from "@/lib/access/admission/windows";
import { AuditHashes } from "@/lib/access/audit/audit-hashes";
import { loadAuditKeys } from "@/lib/access/audit/audit-keys";
import { recordHead } from "@/lib/access/audit/history-heads";
import { startNoticeWatch } from "@/lib/access/notices/notice-watch";
import type { IndicatorReadings } from "@/lib/alerts/engine";
import { startAlerts } from "@/lib/alerts/start-alerts";
import { readCrossing } from "@/lib/api/indicators/read-crossing";
import type { BookUpdate } from "@/lib/book/book";
import { startConnectors } from "@/lib/calendar/start-connectors";
import type { SourceState } from "@/lib/feeds/set/source-state";
import type { FeedSettings } from "@/lib/feeds/settings/feed-setting";
import { loadFeedSettings } from "@/lib/feeds/settings/feed-settings";
import type { HistoryFollower } from "@/lib/history/history";
import { HeadCopy, startHeads } from "@/lib/history/proof/day-heads";
import type { RecordingStatus } from "@/lib/history/recording/recording";
import { HISTORY_HEADS_FILE } from "@/lib/platform/data-folder";
import { type Database, openDatabase } from "@/lib/platform/database/database";
import { DatabaseUnavailable, isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import { systemClock } from "@/lib/platform/timing/clock";
import type { ServerStatus } from "@/lib/readers/messages";
import { openHealthCheck } from "@/lib/runtime/health";
import { openProcess, openWindows, startServices } from "@/lib/runtime/services";
import { startHistory } from "@/lib/runtime/start-history";
import { MINUTE_MS } from "@/lib/time/units";

export type ServerRuntime = Awaited<ReturnType<typeof startServer>>;

/** Starts the server: it owns the database, runs the feed, records history, collects events and answers calls. */
export async function startServer(own = openProcess()) {
  const settings = await loadFeedSettings(own.config, process.env);
  return startOnDatabase(own, (database) => startOn(database, own, settings));
}

async function startOn(database: Database, own: ReturnType<typeof openProcess>, settings: FeedSettings) {
  const { config, log } = own;
  const { prices, sourceFollower, terminals, history } = await startHistory({ config, log, database, settings });
  const services = await startServices({
    ...own,
    ...prices,
    ...history,
    database,
    terminals,
    windows: await openWindows(own),
    refreshOther: async () => {},
  });
  const { whileRecording } = history;
  const connectors = await whileRecording.run((fence) => startConnectors(services, fence));
  const noticeWatch = await startNoticeWatch(services);
  const readings: IndicatorReadings = {
    read: (condition) => readCrossing(services.history.bars, condition, services.marketNow()),
  };
  const alerts = await startAlerts({ ...services, readings }, whileRecording);
  prices.onQuote(alerts.onQuote);
  // Read at the start, so that a folder that cannot hold it is reported then.
  await database.readSecret();
  const auditKeys = await loadAuditKeys(config);
  const auditHashes = new AuditHashes({ pool: database.pool, dataDir: config.dataDir, keys: auditKeys, log });
  await auditHashes.start();
  const headCopy = new HeadCopy({ pool: database.pool, file: join(config.dataDir, HISTORY_HEADS_FILE), log });
  await headCopy.start();
  const heads = await whileRecording.run((fence) =>
    startHeads({ pool: database.pool, fence, now: systemClock, record: (line) => recordHead(database, line), log }),
  );
  const health = openHealthCheck(services, prices, () => history.status().recorder);
  await explainFirstAccount(services);
  return {
    ...services,
    onQuote: (listener: (quote: BookUpdate) => void) => prices.onQuote(listener),
    onSources: prices.onSources,
    onHistory: (follower: HistoryFollower) => history.keeper.follow(follower),
    saveHistory: () => history.save(),
    readFence: () => history.readFence(),
    /** Calls `begin` whenever this server begins to record: now, or when it takes over. */
    onRecording: (begin: () => void) => void whileRecording.run(() => (begin(), { stop() {} })),
    /** How long ago this process had the newest prices, and whether that is too long: never where they are received. */
    lagMs: () => 0,
    isStale: () => false,
    /** The counters that limit the calls of an account. */
    counters: (accountId: string) => readCounters(services, accountId),
    health,
    readHealth: health.read,
    sourceStates: (): readonly SourceState[] => prices.feeds(),
    recorderStatus: (): RecordingStatus | null => history.status().recorder,
    serverStatus: async (): Promise<ServerStatus | null> => ({
      health: await health.read(),
      feeds: prices.feeds(),
      reload: sourceFollower.outcome,
      terminals: terminals.states(),
      ...history.status(),
      traffic: services.usage.traffic(),
      vitals: services.vitals(),
    }),
    /** Stops in the order that loses no data: prices first, then the counts, then the database. */
    async stop(): Promise<void> {
      sourceFollower.stop();
      await terminals.stop();
      await prices.stop();
      await connectors.stop();
      noticeWatch.stop();
      await alerts.stop();
      await heads.stop();
      auditHashes.stop();
      headCopy.stop();
      await history.stop();
      await services.stop();
    },
  };
}

/** Writes to the log how the first account is created, until there is one. */
async function explainFirstAccount(services: Awaited<ReturnType<typeof startServices>>) {
  const { config, accounts, log, publicUrl, setupCode } = services;
  if ((await accounts.count()) > 0) return;
  const way = config.servesPages ? `at ${publicUrl}/setup?code=${setupCode}` : "with the command account create";
  log.info(`There is no account yet. Create the operator's ${way}`);
}

/** How long a start waits for a PostgreSQL that is unavailable, for example because it is starting itself. */
const START_WAIT_MS = MINUTE_MS;

/** Opens the database of a server and starts the server on it. Throws DatabaseUnavailable, which names the database. */
export async function startOnDatabase<Server>(
  { config, log }: ReturnType<typeof openProcess>,
  start: (database: Database) => Promise<Server>,
): Promise<Server> {
  const { databaseUrl, dataDir, sessionSecret: secret } = config;
  const database = await openDatabase({ databaseUrl, dataDir, secret, log, waitMs: START_WAIT_MS });
  try {
    const server = await start(database);
    database.started();
    return server;
  } catch (error) {
    throw isDatabaseUnavailable(error) ? new DatabaseUnavailable(database.place, error) : error;
  }
}
