import { joinTraffic } from "@/lib/access/usage/traffic";
import { degraded } from "@/lib/api/service/component-checks";
import { HEALTH_MS, HEALTHY } from "@/lib/api/service/health-check";
import { PagesProcess } from "@/lib/pages/pages-process";
import { openRedisStreams } from "@/lib/platform/open-redis-streams";
import type { RedisStreams } from "@/lib/platform/redis-stream";
import { Publisher } from "@/lib/readers/publisher";
import type { ReaderProcess } from "@/lib/readers/reader-process";
import { RedisPublisher } from "@/lib/readers/redis-publisher";
import { ApiProcesses } from "@/lib/runtime/api-processes";
import type { ServerRuntime } from "@/lib/runtime/server";
import { createWriterSide } from "@/lib/runtime/writer-side";

/** The modules that run the pages, and a process that answers calls. */
export interface ReaderEntries {
  readonly pagesEntry: string;
  /** Null where this process always answers calls itself. */
  readonly apiEntry: string | null;
}

const STATUS_MS = 2_000;
/** How often changes are sent. Pages are for eyes. Programs get a price within the second time from another process. */
const PAGES_EVERY_MS = 50;
export const API_EVERY_MS = 10;

/** Starts the processes that read from this one: the pages, and those that answer calls if there are several. */
export async function startReaders(runtime: ServerRuntime, { pagesEntry, apiEntry }: ReaderEntries, port: number) {
  const { config, log, health } = runtime;
  const isApiShared = config.servesApi && config.apiProcesses > 1 && apiEntry !== null;
  const streams = config.isWriter && config.redis !== null ? await openRedisStreams({ ...config.redis, log }) : null;
  const everyMs = isApiShared || streams !== null ? API_EVERY_MS : PAGES_EVERY_MS;
  const publisher = new Publisher({ ...runtime, everyMs });
  runtime.onQuote(publisher.onQuote);
  runtime.onSources(publisher.onSources);
  runtime.onHistory(publisher.history);
  const writer = createWriterSide(runtime, publisher, async () => api?.loadKeys());
  let arePagesListening = false;
  let api: ApiProcesses | null = null;

  async function sendStatus(readers: readonly ReaderProcess[]): Promise<void> {
    const status = await runtime.serverStatus();
    if (status === null) return;
    const others = api?.readers.flatMap((reader) => reader.reports.traffic ?? []) ?? [];
    const traffic = joinTraffic([status.traffic, ...others]);
    for (const reader of readers) reader.send({ type: "status", status: { ...status, traffic } });
    if (readers !== all) return;
    remote?.publisher.publishStatus({ ...status, traffic });
  }

  async function sendHealth(readers: readonly ReaderProcess[]): Promise<void> {
    const message = { type: "health", health: await health.read() } as const;
    for (const reader of readers) reader.send(message);
  }

  function sendPages(reader: ReaderProcess): void {
    reader.send({ type: "pages", areListening: arePagesListening });
  }

  function introduce(reader: ReaderProcess): void {
    void sendHealth([reader]);
    void sendStatus([reader]);
  }

  const pages = config.servesPages
    ? new PagesProcess({
        entry: pagesEntry,
        ...{ writer, log },
        onSnapshot: introduce,
        onListening(isListening) {
          arePagesListening = isListening;
          api?.readers.forEach(sendPages);
        },
      })
    : null;
  if (pages !== null) {
    health.add("pages", () => (pages.isAnswering ? HEALTHY : degraded("they are starting, or do not answer")));
  }
  if (isApiShared) {
    const onSnapshot = (reader: ReaderProcess) => {
      sendPages(reader);
      introduce(reader);
    };
    const pagesSocket = pages?.socketPath ?? null;
    api = new ApiProcesses({ runtime, entry: apiEntry, writer, pagesSocket, onSnapshot }, port);
    health.add("api", api.check);
  }
  const all = [...(pages === null ? [] : [pages.reader]), ...(api?.readers ?? [])];
  const remote = streams === null ? null : publishByRedis(runtime, publisher, streams);
  const timers = [
    setInterval(() => void sendHealth(all), HEALTH_MS).unref(),
    setInterval(() => void sendStatus(all), STATUS_MS).unref(),
  ];
  return {
    pages,
    /** Null where this process answers calls itself. */
    api,
    /** Ends the processes that answer calls. */
    stopApi: async (delayMs: number, drainMs: number) => api?.stop(delayMs, drainMs),
    async stopPages(): Promise<void> {
      timers.forEach((timer) => clearInterval(timer));
      await pages?.stop();
      publisher.stop();
      remote?.streams.stop();
    },
  };
}

/** Publishes to servers on other machines that follow this one. */
function publishByRedis({ readFence, onRecording }: ServerRuntime, publisher: Publisher, streams: RedisStreams) {
  streams.start();
  const redisPublisher = new RedisPublisher({ streams, publisher, readFence });
  redisPublisher.start();
  onRecording(() => redisPublisher.onRecording());
  return { streams, publisher: redisPublisher };
}
