import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { refuseBadRequest } from "@/lib/api/bad-request";
import { KEEP_ALIVE_SECONDS } from "@/lib/api/http-head";
import { createNodeHost } from "@/lib/api/node-host";
import { PagesProcess } from "@/lib/pages/pages-process";
import { createPagesProxy } from "@/lib/pages/pages-proxy";
import { warmNextTick } from "@/lib/platform/warm-next-tick";
import { type ServerRuntime, startServer } from "@/lib/runtime/server";

const DRAIN_MS = 8_000;

interface Options {
  /** The module that runs the pages, in a process of its own. */
  readonly pagesEntry: string;
  /** Whether the API's own host answers a request target, rather than the pages. */
  readonly isApiTarget: (target: string) => boolean;
}

/** Runs the server. SIGTERM ends it, and the pages with it, without losing a request or a count. */
export function runServer(options: Options): void {
  main(options).catch((error: unknown) => {
    // Written without the log, which may not exist yet. An operator at a terminal needs the sentence, not the stack.
    process.stderr.write(`Spotline could not start: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exit(1);
  });
}

async function main({ pagesEntry, isApiTarget }: Options): Promise<void> {
  warmNextTick();
  if (existsSync(".env")) process.loadEnvFile(".env");
  const runtime = await startServer();
  const { config, log } = runtime;
  process.env.NEXTAUTH_URL ??= config.url ?? `http://localhost:${config.port}`;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 2_000 });
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  server.on("clientError", refuseBadRequest);
  const pages = new PagesProcess({ ...runtime, entry: pagesEntry });
  runtime.onQuote(pages.onQuote);
  runtime.onHistory(pages.history);
  stopOnSignal(server, pages, runtime);
  server.on("request", createDispatcher(runtime, pages, { server, isApiTarget }));
  await listen(server, config.port, config.host);
  await pages.listening();
  log.info(`Spotline is ready on http://localhost:${readPort(server)}`);
}

function createDispatcher(
  runtime: ServerRuntime,
  pages: PagesProcess,
  { server, isApiTarget }: Pick<Options, "isApiTarget"> & { server: Server },
) {
  const { config, log } = runtime;
  const api = createNodeHost(runtime, config);
  const proxy = createPagesProxy(pages, { trustedProxies: config.trustedProxies, log });
  if (!config.production) server.on("upgrade", proxy.upgrade);
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (runtime.stopping.aborted) response.shouldKeepAlive = false;
    const target = request.url ?? "/";
    // "*" and whole URLs are targets for proxies.
    if (!target.startsWith("/")) return refuseBadRequest(new Error("not a path"), request.socket);
    if (isApiTarget(target)) api(request, response);
    else proxy.request(request, response);
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

function readPort(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function stopOnSignal(server: Server, pages: PagesProcess, runtime: ServerRuntime): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    runtime.log.info({ signal }, "stopping");
    runtime.endStreams();
    await Promise.all([drain(server), pages.stop()]);
    await runtime.stop();
    process.exit(0);
  };
  process.on("SIGTERM", (signal) => void stop(signal));
  process.on("SIGINT", (signal) => void stop(signal));
}

/** Accepts no new requests, and lets the ones under way finish for a bounded time. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const giveUp = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // A kept-alive connection becomes idle only when its request is answered, so closing idle ones once is not enough.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(giveUp);
      clearInterval(idle);
      resolve();
    });
  });
}
