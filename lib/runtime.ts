import { createAccounts } from "@/lib/access/accounts";
import { createBook } from "@/lib/book/book";
import { createDirectory } from "@/lib/access/directory";
import { createIntake } from "@/lib/feeds/intake";
import { createKeys } from "@/lib/access/keys";
import { createLog } from "@/lib/platform/log";
import { createResolver } from "@/lib/market/resolver";
import { createUsage } from "@/lib/access/usage";
import { instruments } from "@/lib/market/catalog";
import { loadConfig } from "@/lib/platform/config";
import { loadSessionSecret } from "@/lib/access/session-secret";
import { openDatabase } from "@/lib/platform/database";
import { openFeed } from "@/lib/feeds/open-feed";
import { systemClock } from "@/lib/platform/clock";
import type { FeedSource } from "@/lib/feeds/feed";

/**
 * The composition root: the only file that knows every concrete part and the order in which they start and stop.
 */

export type Runtime = Awaited<ReturnType<typeof startRuntime>>;

const KEY = Symbol.for("spotline.runtime");
const shared = globalThis as typeof globalThis & { [KEY]?: Promise<Runtime> };

const FEED_REPORT_MS = 60_000;

/**
 * The one runtime of this process. Next bundles a second copy of everything under lib/ for its pages and route
 * handlers, so it is shared through globalThis; whoever comes first starts it.
 */
export function getRuntime(): Promise<Runtime> {
  // A page that is rendered while building would open the operator's database, and freeze what it found.
  if (process.env.NEXT_PHASE === "phase-production-build") throw new Error("There is no runtime while building.");
  return (shared[KEY] ??= startRuntime({ ownsServer: false }));
}

/** Starts the runtime under our own server, which may then be believed about the addresses of its callers. */
export function startServerRuntime(): Promise<Runtime> {
  return (shared[KEY] = startRuntime({ ownsServer: true }));
}

async function startRuntime({ ownsServer }: { ownsServer: boolean }) {
  const config = loadConfig(process.env);
  const { log, logRequest, flush: flushLog } = createLog(config.logLevel);
  const now = systemClock;
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  const directory = createDirectory(database, { now, log });
  const usage = createUsage(database, { now, log, directory });
  await directory.start();
  await usage.start();
  const sessionSecret = config.sessionSecret ?? (await loadSessionSecret(database));

  const resolver = createResolver(instruments);
  const { feed, marketNow } = openFeed(config, { now, instruments, log });
  const sources = byPriority(feed.sources, config.sourcePriority);
  const book = createBook({ instruments, sources, now: marketNow });
  const intake = createIntake({ resolver, sources, onQuote: book.accept, now: marketNow, log });
  await feed.start(intake);
  log.info({ database: database.kind, feed: feed.name, sources: sources.map(({ name }) => name) }, "runtime started");

  const reportFeeds = () => log.info({ feeds: intake.counts().sources }, "ticks accepted and refused so far");
  const reporting = setInterval(reportFeeds, FEED_REPORT_MS).unref();

  const stopping = new AbortController();
  return {
    config,
    log,
    logRequest,
    now,
    marketNow,
    database,
    sessionSecret,
    instruments,
    resolver,
    sources,
    book,
    intake,
    directory,
    usage,
    accounts: createAccounts(database, { now, directory }),
    keys: createKeys(database, { now, directory }),
    /** Whether our own server carries the requests, rather than a plain `next start`. */
    ownsServer,
    /** Aborted when the process is about to end: streams that would go on for ever must not hold it up. */
    stopping: stopping.signal,
    endStreams: () => stopping.abort(),
    async checkDatabase(): Promise<void> {
      await database.pool.query("select 1");
    },
    /** Stops in the order that loses nothing: prices first, then what has been counted, then the database. */
    async stop(): Promise<void> {
      clearInterval(reporting);
      await feed.stop();
      reportFeeds();
      directory.stop();
      await usage.stop();
      await database.close();
      await flushLog();
    },
  };
}

function byPriority(sources: readonly FeedSource[], priority: readonly string[]): FeedSource[] {
  for (const name of priority) {
    if (sources.every((source) => source.name !== name)) {
      throw new Error(`SPOTLINE_SOURCE_PRIORITY names ${name}, which the feed does not have.`);
    }
  }
  const rank = ({ name }: FeedSource) => (priority.includes(name) ? priority.indexOf(name) : priority.length);
  return [...sources].sort((a, b) => rank(a) - rank(b));
}
