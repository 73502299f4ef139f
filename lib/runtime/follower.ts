import { readCounters } from "@/lib/access/admission/windows";
import { startNoticeWatch } from "@/lib/access/notices/notice-watch";
import type { HistoryFollower } from "@/lib/history/history";
import type { Database } from "@/lib/platform/database/database";
import { openRedisStreams } from "@/lib/platform/open-redis-streams";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { linkByRedis } from "@/lib/readers/redis-link";
import { openFollowerHealthCheck } from "@/lib/runtime/health";
import { joinWriter } from "@/lib/runtime/join-writer";
import { type ServerRuntime, startOnDatabase } from "@/lib/runtime/server";
import { type openProcess, openWindows, startServices } from "@/lib/runtime/services";

/** Starts a server that receives no prices itself: it follows the one that records, over Redis, and reads its database. */
export async function startFollower(own: ReturnType<typeof openProcess>): Promise<ServerRuntime> {
  return startOnDatabase(own, (database) => startOn(database, own));
}

async function startOn(database: Database, own: ReturnType<typeof openProcess>): Promise<ServerRuntime> {
  const { config, log } = own;
  const streams = await openRedisStreams({ url: config.redis?.url ?? "", log });
  streams.start();
  const link = linkByRedis(streams, monotonicClock);
  log.info("waiting for the server that records");
  const joined = await joinWriter(own, link, database);
  const { keeper, onQuote, onSources } = joined;
  const services = await startServices({
    ...{ ...joined, terminals: null, windows: await openWindows(own) },
    // Each server finds changes of accounts and keys in the database by itself, within a second.
    refreshOther: async () => {},
  });
  const noticeWatch = await startNoticeWatch(services);
  const health = openFollowerHealthCheck(services, link.follower);
  return {
    ...services,
    ...{ onQuote, onSources, health, readHealth: health.read },
    // The metrics of sources and of recording are those of the server that records.
    sourceStates: () => [],
    recorderStatus: () => null,
    onHistory: (follower: HistoryFollower) => keeper.follow(follower),
    // The one that records saves it.
    saveHistory: async () => {},
    readFence: () => null,
    onRecording: () => {},
    lagMs: () => link.follower.lag().ms,
    isStale: () => link.follower.isStale,
    counters: (accountId: string) => readCounters(services, accountId),
    serverStatus: async () => {
      const status = link.status();
      if (status === null) return null;
      const { usage, vitals } = services;
      return { ...status, health: await health.read(), traffic: usage.traffic(), vitals: vitals() };
    },
    async stop(): Promise<void> {
      link.stop();
      streams.stop();
      noticeWatch.stop();
      await services.stop();
    },
  };
}
