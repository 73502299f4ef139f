import cluster from "node:cluster";
import { rmSync } from "node:fs";
import { createServer, type RequestListener, type Server } from "node:http";
import { createNodeHost } from "@/lib/api/node-host";
import { degraded } from "@/lib/api/service/component-checks";
import { type Check, HEALTHY } from "@/lib/api/service/health-check";
import type { HttpServer } from "@/lib/http/http-server";
import { getLocalSocketPath } from "@/lib/platform/local-socket";
import { createTemporaryFolder } from "@/lib/platform/temporary-folder";
import { ReaderProcess, type WriterSide } from "@/lib/readers/reader-process";
import { passScrapes } from "@/lib/runtime/metrics/open-metrics";
import type { ServerRuntime } from "@/lib/runtime/server";
import { addStreams } from "@/lib/runtime/streams";

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
export class ApiProcesses {
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
