import cluster from "node:cluster";
import { rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { CallCounter } from "@/lib/access/admission/call-counter";
import { joinTraffic } from "@/lib/access/usage/traffic";
import { createNodeHost } from "@/lib/api/node-host";
import { degraded } from "@/lib/api/service/component-checks";
import { type Check, HEALTH_MS, HEALTHY } from "@/lib/api/service/health-check";
import type { HttpServer } from "@/lib/http/http-server";
import { onInstruments } from "@/lib/market/catalog";
import { PagesProcess } from "@/lib/pages/pages-process";
import { inBackground } from "@/lib/platform/faults";
import { getLocalSocketPath } from "@/lib/platform/local-socket";
import { openRedisStreams } from "@/lib/platform/open-redis-streams";
import type { RedisStreams } from "@/lib/platform/redis-stream";
import { createTemporaryFolder } from "@/lib/platform/temporary-folder";
import type { Answers, Request } from "@/lib/readers/messages";
import { Publisher } from "@/lib/readers/publisher";
import { type Reader, ReaderProcess, type WriterSide } from "@/lib/readers/reader-process";
import { RedisPublisher } from "@/lib/readers/redis-publisher";
import { passScrapes } from "@/lib/runtime/metrics/open-metrics";
import type { ServerRuntime } from "@/lib/runtime/server";
import { addStreams, StreamCounts } from "@/lib/runtime/streams";

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
  const unfollow = onInstruments(publisher.onInstruments);
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

  const send = (readers: readonly ReaderProcess[], what: typeof sendStatus) =>
    inBackground(what(readers), log, "telling other processes how this one is");

  function sendPages(reader: ReaderProcess): void {
    reader.send({ type: "pages", areListening: arePagesListening });
  }

  function introduce(reader: ReaderProcess): void {
    send([reader], sendHealth);
    send([reader], sendStatus);
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
    setInterval(() => send(all, sendHealth), HEALTH_MS).unref(),
    setInterval(() => send(all, sendStatus), STATUS_MS).unref(),
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
      unfollow();
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

interface Options {
  readonly runtime: ServerRuntime;
  /** The module to run. */
  readonly entry: string;
  readonly writer: WriterSide;
  /** Where the pages answer; null without pages. */
  readonly pagesSocket: string | null;
  readonly onSnapshot: (reader: ReaderProcess) => void;
}

/** Only the writer connects to its own socket, through a process that has found the client's address. */
const FROM_READERS = { trustedProxies: { count: 1, addresses: null } };

/**
 * The processes that answer calls on one port, where there are several.
 *
 * They share the listening socket itself, as node:cluster does without its own scheduling: each accepts connections by
 * itself, so the writer takes no part in a call, they answer while the writer is stopped, and connections that wait are
 * not lost with a process. SO_REUSEPORT would lose those, and needs a newer Node.
 */
class ApiProcesses {
  readonly readers: readonly ReaderProcess[];
  readonly #folder: string;
  readonly #server: Server;
  #answer: RequestListener;
  #mayListen = false;
  #ready = new Set<ReaderProcess>();
  #onReady: () => void = () => {};
  #onFailed: (error: Error) => void = () => {};

  constructor({ runtime, entry, writer, pagesSocket, onSnapshot }: Options, port: number) {
    const { config, log } = runtime;
    this.#folder = createTemporaryFolder("spotline-writer-");
    const socket = getLocalSocketPath(this.#folder, "http");
    // What only the writer can do: it takes the prices of terminals.
    this.#answer = createNodeHost(addStreams(runtime), FROM_READERS);
    this.#server = createServer((request, response) => this.#answer(request, response));
    this.#server.keepAliveTimeout = 0;
    this.#server.listen(socket);
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: entry, args: [] });
    const env = {
      PORT: String(port),
      SPOTLINE_WRITER_SOCKET: socket,
      ...(pagesSocket !== null && { SPOTLINE_PAGES_SOCKET: pagesSocket }),
    };
    this.readers = Array.from({ length: config.apiProcesses }, () => {
      return new ReaderProcess({
        name: "API process",
        fork: () => cluster.fork(env).process,
        ...{ writer, onSnapshot, log },
        onReady: (reader) => this.#noteReady(reader),
        onFailed: (reason) => {
          log.error({ reason }, "API process failed");
          this.#onFailed(new Error(reason));
        },
      });
    });
  }

  readonly check: Check = () => {
    const answering = this.readers.filter(({ isAnswering }) => isAnswering).length;
    const { length } = this.readers;
    return answering === length ? HEALTHY : degraded(`${answering} of ${length} processes answer calls`);
  };

  /** Answers the scrapes that reach a process at the public port: this one knows the counts of all. */
  serveScrapes(answerScrape: RequestListener): void {
    this.#answer = passScrapes(answerScrape, this.#answer);
  }

  /** Takes the port over from the server that answered during the start. Rejects if a process cannot start. */
  async takePort(http: HttpServer): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#onReady = () => this.#ready.size === this.readers.length && resolve();
      this.#onFailed = reject;
      this.#onReady();
    });
    const drained = http.drain();
    this.#mayListen = true;
    const listening = Promise.all(this.readers.map((reader) => (this.#listen(reader), reader.listening())));
    await Promise.race([listening, new Promise((_, reject) => (this.#onFailed = reject))]);
    this.#onFailed = () => {};
    await drained;
  }

  /** Resolves once every process has loaded the latest changes of accounts and keys. */
  async loadKeys(): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.loadKeys()));
  }

  async stop(delayMs: number, drainMs: number): Promise<void> {
    await Promise.all(this.readers.map((reader) => reader.stop(delayMs, drainMs)));
    this.#server.close();
    this.#server.closeAllConnections();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #noteReady(reader: ReaderProcess): void {
    this.#ready.add(reader);
    if (this.#mayListen) this.#listen(reader);
    else this.#onReady();
  }

  #listen(reader: ReaderProcess): void {
    reader.send({ type: "listen" });
  }
}

/**
 * What the writer does for its readers.
 *
 * @param loadKeys resolves once every process that answers calls has loaded the latest changes of accounts and keys
 */
function createWriterSide(runtime: ServerRuntime, publisher: Publisher, loadKeys: () => Promise<void>): WriterSide {
  const { directory, windows } = runtime;
  const streams = new StreamCounts();
  const counter = new CallCounter(runtime);

  async function refresh(): Promise<null> {
    // If the database cannot be read now, it is read later; the change itself is stored.
    await Promise.allSettled([directory.refresh(), loadKeys()]);
    return null;
  }

  return {
    publisher,
    async answer(request: Request, reader: Reader): Promise<Answers[Request["type"]]> {
      switch (request.type) {
        case "refresh":
          return refresh();
        case "counters":
          return runtime.counters(request.accountId);
        case "count":
          return counter.count(request.calls, reader);
        case "open-stream":
          return streams.open(reader, request.keyId, request.limit);
      }
    },
    onRelease({ keyId, credits, countedAtMs }) {
      const key = directory.key(keyId);
      if (key !== undefined) windows.release(key, credits, countedAtMs);
    },
    onStreamClose: (keyId, reader) => streams.close(reader, keyId),
    onReturn: (calls, reader) => counter.onReturn(calls, reader),
    onReaderEnd(reader) {
      streams.forget(reader);
      counter.forget(reader);
    },
  };
}
