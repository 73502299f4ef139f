import { createServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { KEEP_ALIVE_SECONDS } from "@/lib/api/http-head";
import { refuseBadRequest } from "@/lib/http/bad-request";
import { countAvailableConnections, limitConnections } from "@/lib/http/connections";
import { DirectConnections, type DirectHost } from "@/lib/http/direct-connections";
import { listen, NAMES } from "@/lib/http/listen";
import { answerHealth, answerStarting, refuse } from "@/lib/http/own-answers";
import { hasUnfinishedAnswer, limitPipelines } from "@/lib/http/pipelines";
import type { Config } from "@/lib/platform/config";
import type { Logger } from "@/lib/platform/log/log";

const DRAIN_MS = 8_000;

interface Options {
  readonly config: Pick<Config, "port" | "host" | "trustedProxies" | "connections">;
  readonly log: Logger;
  readonly names?: typeof NAMES;
  /** Shorter in tests. */
  readonly timeouts?: typeof TIMEOUTS | undefined;
}

/** How long a client may take for its headers, for the whole request, and to take any bytes of an answer. */
export const TIMEOUTS = { headersMs: 10_000, requestMs: 30_000, stalledMs: 30_000 };

/** The HTTP server before the API and the pages. It answers 503 until `serve` is called. */
export interface HttpServer {
  /** Binds the port. Rejects with a sentence for the operator. */
  listen(): Promise<void>;
  /** The bound port, which differs from the configured one if that is 0. */
  port(): number;
  /** Passes requests on from now on: simple ones to `direct`, if there is one. Their targets are paths. */
  serve(listener: RequestListener, direct?: DirectHost): void;
  /** Forwards WebSockets, in development only. */
  readonly server: Server;
  /** Answers `/ready` with 503 from now on, and closes each connection after its next answer. */
  announceStop(): void;
  /** Accepts no new connections, and lets the requests under way finish for a bounded time. */
  drain(): Promise<void>;
}

export function createHttpServer({ config, log, names = NAMES, timeouts = TIMEOUTS }: Options): HttpServer {
  let listener: RequestListener = answerStarting;
  let isStopping = false;
  const pipelines = limitPipelines((request, response) => {
    // "*" and whole URLs are targets for proxies.
    if (request.url?.startsWith("/") !== true)
      refuse(request, response, "VALIDATION_ERROR", "The request target must be a path.");
    else if (!isStopping || !answerHealth("stopping", request, response)) listener(request, response);
  });
  const server = createServer(
    {
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      connectionsCheckingInterval: Math.min(2_000, timeouts.headersMs),
    },
    pipelines.onRequest,
  );
  const direct = new DirectConnections(server, timeouts);
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  // An idle connection has the longer time of `keepAliveTimeout`.
  server.timeout = timeouts.stalledMs;
  server.on("timeout", (socket: Socket) => {
    // A client that waits for an answer is not at fault.
    if (socket.writableLength > 0 || !hasUnfinishedAnswer(socket)) socket.destroy();
  });
  server.on("clientError", refuseBadRequest);
  const { total, perAddress } = config.connections;
  limitConnections(server, {
    total: Math.min(total, countAvailableConnections()),
    perAddress,
    proxies: config.trustedProxies,
    log,
  });
  return {
    server,
    listen: () => listen(server, config, names),
    port() {
      const address = server.address();
      return typeof address === "object" && address !== null ? address.port : 0;
    },
    serve(next, host) {
      listener = next;
      direct.host = host ?? null;
    },
    announceStop() {
      isStopping = true;
      direct.isStopping = true;
      pipelines.closeAfterAnswers();
    },
    drain: () => drain(server, direct),
  };
}

function drain(server: Server, direct: DirectConnections): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const closeIdle = () => {
      server.closeIdleConnections();
      direct.close({ all: false });
    };
    const closeAll = () => {
      server.closeAllConnections();
      direct.close({ all: true });
    };
    const giveUp = setTimeout(closeAll, DRAIN_MS);
    // A kept-alive connection becomes idle only when its request is answered, so closing idle ones once is not enough.
    const idle = setInterval(closeIdle, 50);
    server.close(() => {
      clearTimeout(giveUp);
      clearInterval(idle);
      resolve();
    });
  });
}
