import { existsSync } from "node:fs";
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import { createNodeHost } from "@/lib/api/node-host";
import { degraded } from "@/lib/api/service/component-checks";
import { HEALTHY } from "@/lib/api/service/health-check";
import { createSocketHost, SOCKET_PATH } from "@/lib/api/stream/socket-host";
import { createHttpServer, type HttpServer } from "@/lib/http/http-server";
import { refuse } from "@/lib/http/own-answers";
import { routeUpgrades } from "@/lib/http/upgrades";
import { PagesProcess } from "@/lib/pages/pages-process";
import { createPagesProxy } from "@/lib/pages/pages-proxy";
import { endOnFault } from "@/lib/platform/faults";
import { warmNextTick } from "@/lib/platform/timing/warm-next-tick";
import { type ServerRuntime, startServer } from "@/lib/runtime/server";
import { openProcess } from "@/lib/runtime/services";
import { readArguments } from "@/lib/runtime/start-arguments";
import { addStreams } from "@/lib/runtime/streams";

/** How long requests may take to finish after a signal; they are cut before. */
const STOP_MS = 10_000;
/** After an unexpected error: how long requests may take to finish, and the whole end with the counts written. */
const FAULT_DRAIN_MS = 1_500;
const FAULT_STOP_MS = 5_000;
const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

interface Options {
  /** The module that runs the pages, in a process of its own. */
  readonly pagesEntry: string;
  /** Whether the API's own host answers a request target, rather than the pages. */
  readonly isApiTarget: (target: string) => boolean;
}

/** Runs the server. A signal ends it, and the pages with it, without losing a request or a count. */
export function runServer(options: Options): void {
  main(options).catch((error: unknown) => {
    // Written without the log, which may not exist yet. An operator at a terminal needs the sentence, not the stack.
    process.stderr.write(`Spotline could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}

async function main({ pagesEntry, isApiTarget }: Options): Promise<void> {
  warmNextTick();
  // A variable that is set already comes before that of the file.
  Object.assign(process.env, readArguments(process.argv.slice(2)));
  if (existsSync(".env")) process.loadEnvFile(".env");
  const own = openProcess();
  const { config, log } = own;
  const http = createHttpServer(own);
  const ending = createEnding(own, http);
  // Before the database and the feed start, so that a port in use is reported at once.
  await http.listen();
  const runtime = await startServer(own);
  process.env.NEXTAUTH_URL ??= config.url ?? `http://localhost:${config.port}`;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const pages = config.servesPages ? startPages(runtime, pagesEntry) : null;
  ending.include(runtime, pages);
  const proxy = pages === null ? null : createPagesProxy(pages, { trustedProxies: config.trustedProxies, log });
  const services = addStreams(runtime);
  http.serve(createDispatcher(createNodeHost(services, config), proxy?.request ?? refusePage, isApiTarget));
  const answerSocket = createSocketHost(services, config);
  routeUpgrades(http.server, (path) => {
    if (path === SOCKET_PATH) return answerSocket;
    return !config.production && path.startsWith("/_next/") ? (proxy?.upgrade ?? null) : null;
  });
  await pages?.listening();
  if (!ending.hasBegun()) log.info(`Spotline is ready on http://localhost:${http.port()}`);
}

/** Passes a request to the API's host or to the pages. */
function createDispatcher(
  answerCall: RequestListener,
  servePage: RequestListener,
  isApiTarget: Options["isApiTarget"],
): RequestListener {
  return (request, response) => {
    if (isApiTarget(request.url ?? "/")) answerCall(request, response);
    else servePage(request, response);
  };
}

/** Starts the process of the pages, which follows the prices and the history of this one. */
function startPages(runtime: ServerRuntime, entry: string): PagesProcess {
  const pages = new PagesProcess({ ...runtime, entry });
  runtime.health.add("pages", () => (pages.isAnswering ? HEALTHY : degraded("they are starting, or do not answer")));
  runtime.onQuote(pages.onQuote);
  runtime.onSources(pages.onSources);
  runtime.onHistory(pages.history);
  return pages;
}

function refusePage(request: IncomingMessage, response: ServerResponse): void {
  refuse(request, response, "NOT_FOUND", "This server has no pages: SPOTLINE_ROLES leaves them out.");
}

/** Ends the process in order, by a signal or after an unexpected error. */
function createEnding({ config, log }: ReturnType<typeof openProcess>, http: HttpServer) {
  let started: { runtime: ServerRuntime; pages: PagesProcess | null } | null = null;
  let hasBegun = false;
  let exitCode = 0;

  async function stop(delayMs: number, drainMs: number): Promise<void> {
    // Nothing was acknowledged yet, and an interrupted start can be repeated.
    if (started === null) return;
    const { runtime, pages } = started;
    http.announceStop();
    await pause(delayMs);
    runtime.endStreams();
    await Promise.race([Promise.all([http.drain(), pages?.stop()]), pause(drainMs)]);
    await runtime.stop();
  }

  function end(delayMs: number, drainMs: number): void {
    if (hasBegun) return;
    hasBegun = true;
    stop(delayMs, drainMs)
      .catch((error: unknown) => {
        exitCode = 1;
        log.error({ err: error }, "stopping failed");
      })
      .finally(() => process.exit(exitCode));
  }

  for (const signal of STOP_SIGNALS) {
    process.on(signal, () => {
      if (!hasBegun) log.info({ signal }, "stopping");
      end(config.stopDelayMs, STOP_MS);
    });
  }
  endOnFault(log, () => {
    exitCode = 1;
    setTimeout(() => process.exit(1), FAULT_STOP_MS);
    end(0, FAULT_DRAIN_MS);
  });
  return {
    hasBegun: () => hasBegun,
    /** What has started by now, and must be stopped. */
    include: (runtime: ServerRuntime, pages: PagesProcess | null) => void (started = { runtime, pages }),
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
