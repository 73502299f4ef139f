import { readCounters } from "@/lib/access/admission/counters";
import { startNoticeWatch } from "@/lib/access/notices/notice-watch";
import { startConnectors } from "@/lib/calendar/start-connectors";
import { startBackfill } from "@/lib/history/backfill/backfill";
import type { HistoryFollower } from "@/lib/history/history";
import { HistoryKeeper } from "@/lib/history/history-keeper";
import { startRecording } from "@/lib/history/recording";
import { startRetention } from "@/lib/history/retention";
import { instruments } from "@/lib/market/catalog";
import { createSessions } from "@/lib/market/sessions/sessions";
import type { ServerStatus } from "@/lib/pages/server-status";
import { systemClock } from "@/lib/platform/clock";
import { openDatabase } from "@/lib/platform/database";
import { openPrices } from "@/lib/runtime/prices";
import { openProcess, openWindows, startServices } from "@/lib/runtime/services";

export type ServerRuntime = Awaited<ReturnType<typeof startServer>>;

/** Starts the server: it owns the database, runs the feed, records history, collects events and answers calls. */
export async function startServer() {
  const own = openProcess();
  const { config, log } = own;
  const database = await openDatabase({ databaseUrl: config.databaseUrl, dataDir: config.dataDir, log });
  const { prices, history } = await startHistory({ config, log, pool: database.pool });
  const services = await startServices({
    ...own,
    ...prices,
    ...history,
    database,
    windows: openWindows(own),
    refreshOther: async () => {},
  });
  const connectors = await startConnectors(services);
  const noticeWatch = await startNoticeWatch(services);
  return {
    ...services,
    onQuote: prices.onQuote,
    onHistory: (follower: HistoryFollower) => history.keeper.follow(follower),
    saveHistory: () => history.keeper.save(),
    /** The counters that limit the calls of an account. */
    counters: (accountId: string) => readCounters(services, accountId),
    serverStatus: (): ServerStatus => ({
      feeds: prices.feeds(),
      ...history.status(),
      traffic: services.usage.traffic(),
      vitals: services.vitals(),
    }),
    /** Stops in the order that loses no data: prices first, then the counts, then the database. */
    async stop(): Promise<void> {
      await prices.stop();
      connectors.stop();
      noticeWatch.stop();
      await history.stop();
      await services.stop();
    },
  };
}

interface HistoryOptions extends Pick<ReturnType<typeof openProcess>, "config" | "log"> {
  readonly pool: Awaited<ReturnType<typeof openDatabase>>["pool"];
}

/** Starts the feed and the recording of its prices. */
async function startHistory({ config, log, pool }: HistoryOptions) {
  const prices = openPrices({ config, log, now: systemClock });
  const { marketNow, sources, book } = prices;
  const sessions = createSessions(config.sessions);
  const keeper = new HistoryKeeper({ pool, instruments, sources, sessions, marketNow });
  const { servedSource } = book;
  const recording = await startRecording({ pool, keeper, instruments, servedSource, marketNow, log });
  prices.onQuote(recording.onQuote);
  prices.onQuote(keeper.onQuote);
  await prices.start();
  const common = { pool, keeper, marketNow, log };
  const sourceNames = sources.map(({ name }) => name);
  const symbols = instruments.map(({ symbol }) => symbol);
  const backfill = prices.hasHistory
    ? startBackfill({ ...common, sources: sourceNames, symbols: symbols.length })
    : null;
  const retention = startRetention({ ...common, symbols, keepDays: config.keepDays });
  return {
    prices,
    history: {
      sessions,
      keeper,
      status: () => ({
        recorder: recording.counts(),
        backfill: backfill?.progress() ?? ({ phase: "off", done: 0, total: 0 } as const),
      }),
      async stop(): Promise<void> {
        retention.stop();
        await backfill?.stop();
        await recording.stop();
        await keeper.save().catch((error: unknown) => log.error({ err: error }, "saving the latest spreads failed"));
      },
    },
  };
}
