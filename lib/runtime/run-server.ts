import { existsSync } from "node:fs";
import type { RequestListener } from "node:http";
import { parseArgs } from "node:util";
import { createDirectHost, createNodeHost } from "@/lib/api/node-host";
import { createSocketHost, isSocketPath } from "@/lib/api/stream/socket-host";
import { createHttpServer, type HttpServer } from "@/lib/http/http-server";
import { routeUpgrades } from "@/lib/http/pipelines";
import type { PagesProcess } from "@/lib/pages/pages-process";
import { createPagesProxy } from "@/lib/pages/pages-proxy";
import { describeFault } from "@/lib/platform/database/database-errors";
import { endOnFault } from "@/lib/platform/faults";
import { adviseOnProxies } from "@/lib/platform/settings/proxy-settings";
import { warmNextTick } from "@/lib/platform/timing/warm-next-tick";
import {
  createDispatcher,
  createStatusHost,
  dispatchDirectly,
  refuseCalls,
  requireFresh,
} from "@/lib/runtime/dispatcher";
import { startFollower } from "@/lib/runtime/follower";
import { type JobRunner, startJobRunners } from "@/lib/runtime/job-runner";
import { countPages, createScrapeServer, openMetrics, passScrapes } from "@/lib/runtime/metrics/open-metrics";
import { type ServerRuntime, startServer } from "@/lib/runtime/server";
import { openProcess } from "@/lib/runtime/services";
import { type ReaderEntries, startReaders } from "@/lib/runtime/start-readers";
import { addStreams } from "@/lib/runtime/streams";

type Readers = Awaited<ReturnType<typeof startReaders>>;

/** After a signal: how long requests may take to finish, and the whole end, whatever else runs. */
const DRAIN_MS = 4_000;
const STOP_MS = 7_000;
/** After an unexpected error: how long requests may take to finish, and the whole end with the counts written. */
const FAULT_DRAIN_MS = 1_500;
const FAULT_STOP_MS = 5_000;
const STOP_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

interface Options extends ReaderEntries {
  /** Whether the API's own host answers a request target, rather than the pages. */
  readonly isApiTarget: (target: string) => boolean;
}

/** Runs the server. A signal ends it, and the pages with it, without losing a request or a count. */
export function runServer(options: Options): void {
  main(options).catch((error: unknown) => {
    // Written without the log, which may not exist yet. An operator at a terminal needs the sentence, not the stack.
    process.stderr.write(`Spotline could not start: ${describeFault(error)}\n`);
    process.exit(1);
  });
}

async function main({ isApiTarget, ...entries }: Options): Promise<void> {
  warmNextTick();
  // A variable that is set already comes before that of the file.
  Object.assign(process.env, readArguments(process.argv.slice(2)));
  if (existsSync(".env")) process.loadEnvFile(".env");
  const own = openProcess();
  const { config, log } = own;
  const advice = adviseOnProxies(config.trustedProxies, config);
  if (advice !== null) log.warn(advice);
  const http = createHttpServer(own);
  const scrapes = createScrapeServer(own);
  const ending = createEnding(own, scrapes === null ? [http] : [http, scrapes]);
  // Before the database and the feed start, so that a port in use is reported at once.
  await http.listen();
  await scrapes?.listen();
  const port = http.port();
  const runtime = await (config.isWriter ? startServer(own) : startFollower(own));
  // The proxy before the pages reads it too.
  if (config.url !== null) process.env.SPOTLINE_URL ??= config.url;
  process.env.NEXTAUTH_URL ??= config.url ?? `http://localhost:${config.port}`;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const readers = await startReaders(runtime, entries, port);
  const { database, exportStore } = runtime;
  const jobs = startJobRunners({ database, dataDir: config.dataDir, exportStore, log });
  ending.include(runtime, readers, jobs);
  const services = addStreams(runtime);
  const answerScrape = await openMetrics(own, {
    ...{ ...services, server: http.server },
    ...{ pages: readers.pages, apiProcesses: readers.api?.readers ?? [] },
  });
  if (answerScrape !== null) scrapes?.serve(answerScrape);
  const publicScrape = scrapes === null ? answerScrape : null;
  if (readers.api === null)
    serveHere(http, services, { ...own, pages: readers.pages, isApiTarget, answerScrape: publicScrape });
  else {
    if (publicScrape !== null) readers.api.serveScrapes(publicScrape);
    await readers.api.takePort(http);
  }
  await readers.pages?.listening();
  if (!ending.hasBegun()) log.info(`Spotline is ready on ${config.url ?? `http://localhost:${port}`}`);
}

interface Served extends Pick<ReturnType<typeof openProcess>, "calls"> {
  readonly pages: PagesProcess | null;
  readonly isApiTarget: Options["isApiTarget"];
  /** What answers scrapes of the public port; null for none. */
  readonly answerScrape: RequestListener | null;
}

/** Answers calls in this process. */
function serveHere(
  http: HttpServer,
  services: ReturnType<typeof addStreams>,
  { calls, pages, isApiTarget, answerScrape }: Served,
): void {
  const { config, log } = services;
  if (config.servesApi) services.usualBars.start();
  const proxy = pages === null ? null : createPagesProxy(pages, { trustedProxies: config.trustedProxies, log });
  const answerFresh = requireFresh(services.isStale, createNodeHost(services, config));
  const answerCall = config.servesApi ? answerFresh : refuseCalls(answerFresh);
  const servePage = countPages(calls, proxy?.request ?? createStatusHost(services));
  const answer = createDispatcher(answerCall, servePage, isApiTarget);
  const direct = dispatchDirectly(createDirectHost(services, config), services, isApiTarget);
  const serve = answerScrape === null ? answer : passScrapes(answerScrape, answer);
  http.serve(serve, config.servesApi ? direct : undefined);
  const answerSocket = createSocketHost(services, config);
  routeUpgrades(http.server, (path) => {
    if (isSocketPath(path) && config.servesApi) return answerSocket;
    return !config.production && path.startsWith("/_next/") ? (proxy?.upgrade ?? null) : null;
  });
}

/** Ends the process in order, by a signal or after an unexpected error. */
function createEnding({ config, log }: ReturnType<typeof openProcess>, servers: readonly HttpServer[]) {
  let started: { runtime: ServerRuntime; readers: Readers; jobs: JobRunner } | null = null;
  let hasBegun = false;
  let exitCode = 0;

  async function stop(delayMs: number, drainMs: number): Promise<void> {
    // Nothing was acknowledged yet, and an interrupted start can be repeated.
    if (started === null) return;
    const { runtime, readers, jobs } = started;
    for (const server of servers) server.announceStop();
    const apiEnded = readers.stopApi(delayMs, drainMs);
    await pause(delayMs);
    runtime.endStreams();
    const pagesEnded = apiEnded.then(() => readers.stopPages());
    const drained = servers.map((server) => server.drain());
    await Promise.race([Promise.all([...drained, pagesEnded, jobs.stop()]), pause(drainMs)]);
    await runtime.stop();
  }

  function end(delayMs: number, drainMs: number, stopMs: number): void {
    if (hasBegun) return;
    hasBegun = true;
    setTimeout(() => {
      log.error({ stopMs }, "stopping takes too long; what waits for the database is not stored");
      process.exit(1);
    }, delayMs + stopMs).unref();
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
      end(config.stopDelayMs, DRAIN_MS, STOP_MS);
    });
  }
  endOnFault(log, () => {
    exitCode = 1;
    end(0, FAULT_DRAIN_MS, FAULT_STOP_MS);
  });
  return {
    hasBegun: () => hasBegun,
    /** What has started by now, and must be stopped. */
    include: (runtime: ServerRuntime, readers: Readers, jobs: JobRunner) => void (started = { runtime, readers, jobs }),
  };
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/**
 * Reads the arguments of a start, such as `npm start -- --record frames.jsonl`, as the settings that they stand for.
 * Throws an Error with a readable message for any other.
 */
export function readArguments(args: readonly string[]): Readonly<Record<string, string>> {
  let record: string | undefined;
  try {
    ({ record } = parseArgs({ args: [...args], options: { record: { type: "string" } } }).values);
  } catch (error) {
    throw new Error(`${(error as Error).message} The only argument is --record FILE.`);
  }
  if (record === "") throw new Error("--record needs the name of a file.");
  return record === undefined ? {} : { SPOTLINE_RECORD_FRAMES: record };
}
