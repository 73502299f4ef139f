import type { RequestListener } from "node:http";
import { mt5Ticks } from "@/lib/api/ingest";
import { createDirectHost, createNodeHost } from "@/lib/api/node-host";
import { createSocketHost, isSocketPath } from "@/lib/api/stream/socket-host";
import { createHttpServer, type HttpServer } from "@/lib/http/http-server";
import { routeUpgrades } from "@/lib/http/pipelines";
import { createPagesProxy } from "@/lib/pages/pages-proxy";
import { describeFault } from "@/lib/platform/database/database-errors";
import { endOnFault } from "@/lib/platform/faults";
import { monotonicClock } from "@/lib/platform/timing/clock";
import { warmNextTick } from "@/lib/platform/timing/warm-next-tick";
import { linkToWriter, type WriterLink } from "@/lib/readers/writer-link";
import { startApi } from "@/lib/runtime/api";
import { createDispatcher, createStatusHost, dispatchDirectly, requireFresh } from "@/lib/runtime/dispatcher";
import { countPages, passScrapes, reportProcess } from "@/lib/runtime/metrics/open-metrics";
import { openProcess } from "@/lib/runtime/services";
import { addStreams } from "@/lib/runtime/streams";

const FAULT_DRAIN_MS = 1_500;

/** Runs a process that answers calls and streams from its own memory, on the port that it shares with others. */
export function runApi(isApiTarget: (target: string) => boolean): void {
  const link = linkToWriter(monotonicClock);
  main(link, isApiTarget).catch((error: unknown) => {
    link.send({ type: "failed", reason: describeFault(error) });
    process.exitCode = 1;
    setImmediate(() => process.exit());
  });
}

async function main(link: WriterLink, isApiTarget: (target: string) => boolean): Promise<void> {
  warmNextTick();
  // Ctrl-C in a terminal reaches every process of its group; this one waits for the writer's message.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  const own = openProcess();
  const { config, log } = own;
  const http = createHttpServer(own);
  const runtime = await startApi(own, link);
  const services = addStreams(runtime);
  services.usualBars.start();
  const { trustedProxies } = config;
  const pagesSocket = process.env.SPOTLINE_PAGES_SOCKET;
  const forward = (socketPath: string, listening: () => Promise<void>) =>
    createPagesProxy({ socketPath, listening }, { trustedProxies, log });
  const pages = pagesSocket === undefined ? null : forward(pagesSocket, link.pagesListening);
  const writer = forward(process.env.SPOTLINE_WRITER_SOCKET ?? "", () => Promise.resolve());
  const answerFresh = requireFresh(services.isStale, createNodeHost(services, config));
  const answerCall = forwardTerminals(answerFresh, writer.request);
  const servePage = countPages(own.calls, pages?.request ?? createStatusHost(services));
  const answer = createDispatcher(answerCall, servePage, isApiTarget);
  // Without a port of their own, scrapes come to this one.
  const serve = config.metrics?.own === null ? passScrapes(writer.request, answer) : answer;
  http.serve(serve, dispatchDirectly(createDirectHost(services, config), services, isApiTarget));
  const answerSocket = createSocketHost(services, config);
  routeUpgrades(http.server, (path) => {
    if (isSocketPath(path)) return answerSocket;
    return !config.production && path.startsWith("/_next/") ? (pages?.upgrade ?? null) : null;
  });
  const lagMs = () => link.follower.lag().ms;
  const report = reportProcess({ ...services, calls: own.calls, server: http.server, lagMs }, link);
  const end = createEnding(http, {
    endStreams: runtime.endStreams,
    async stopServices() {
      await report();
      await runtime.stop();
    },
  });
  link.onStop(({ delayMs, drainMs }) => end(0, delayMs, drainMs));
  endOnFault(log, () => end(1, 0, FAULT_DRAIN_MS));
  await link.ready();
  await http.listen();
  link.send({ type: "listening" });
}

/** Only the writer takes the prices of terminals. */
function forwardTerminals(answerCall: RequestListener, forwardToWriter: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url?.startsWith(mt5Ticks.path) === true) forwardToWriter(request, response);
    else answerCall(request, response);
  };
}

interface Endings {
  endStreams(): void;
  stopServices(): Promise<void>;
}

/** Ends the process in order: it finishes its requests and writes its counts. */
function createEnding(http: HttpServer, { endStreams, stopServices }: Endings) {
  let hasBegun = false;

  async function stop(delayMs: number, drainMs: number): Promise<void> {
    http.announceStop();
    await pause(delayMs);
    endStreams();
    await Promise.race([http.drain(), pause(drainMs)]);
    await stopServices();
  }

  return (exitCode: number, delayMs: number, drainMs: number): void => {
    if (hasBegun) return;
    hasBegun = true;
    const exit = (code: number) => process.exit(code);
    stop(delayMs, drainMs).then(
      () => exit(exitCode),
      () => exit(1),
    );
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
