import { existsSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { refuseBadRequest } from "@/lib/api/bad-request";
import { splitTarget } from "@/lib/api/engine/call";
import { createNodeHost, isApiTarget, KEEP_ALIVE_SECONDS } from "@/lib/api/node-host";
import { type PagesProcess, startPagesProcess } from "@/lib/pages/pages-process";
import { createPagesProxy } from "@/lib/pages/pages-proxy";
import { keepTickShape } from "@/lib/platform/tick-shape";
import { type Runtime, startServerRuntime } from "@/lib/runtime";

/**
 * The process: one HTTP server. `/v1` goes straight to the API's own host, everything else to Next, which runs in a
 * process beside it; SIGTERM ends both without losing a request or a count.
 */

const DRAIN_MS = 8_000;
/** What `npm run build` makes is JavaScript, and always runs in production. */
const BUILT = import.meta.url.endsWith(".mjs");

async function main(): Promise<void> {
  if (BUILT) Object.assign(process.env, { NODE_ENV: "production" });
  keepTickShape();
  if (existsSync(".env")) process.loadEnvFile(".env");
  const runtime = await startServerRuntime({ behindOwnServer: true });
  const { config, log } = runtime;
  process.env.NEXTAUTH_URL ??= config.url ?? `http://localhost:${config.port}`;
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 2_000 });
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  server.on("clientError", refuseBadRequest);
  const pages = startPagesProcess({ ...runtime, entry: pagesEntry() });
  runtime.onQuote(pages.tell);
  runtime.onHistory(pages.history);
  stopOnSignal(server, pages, runtime);
  server.on("request", dispatcher(runtime, pages, server));
  await listen(server, config.port, config.host);
  await pages.listening();
  log.info(`Spotline is ready on http://localhost:${portOf(server)}`);
}

/** Beside this file, and built like it. */
function pagesEntry(): string {
  const own = fileURLToPath(import.meta.url);
  return own.replace(/server(\.\w+)$/, "pages-server$1");
}

function dispatcher(runtime: Runtime, pages: PagesProcess, server: Server) {
  const { config, log } = runtime;
  const api = createNodeHost(runtime, config);
  const proxy = createPagesProxy(pages, { trustedProxies: config.trustedProxies, log });
  if (!config.production) server.on("upgrade", proxy.upgrade);
  return (request: IncomingMessage, response: ServerResponse): void => {
    if (runtime.stopping.aborted) response.shouldKeepAlive = false;
    const target = request.url ?? "/";
    // "*" and whole URLs are for proxies; neither names anything here.
    if (!target.startsWith("/")) return refuseBadRequest(new Error("not a path"), request.socket);
    if (isApiTarget(target) && (config.v1Host === "node" || !reachesNextRoute(target))) api(request, response);
    else proxy.request(request, response);
  };
}

/** Next redirects or refuses some paths by itself, before any route of ours could answer them as the API does. */
function reachesNextRoute(target: string): boolean {
  const { path } = splitTarget(target);
  try {
    decodeURIComponent(path);
  } catch {
    return false;
  }
  return !path.includes("//") && !path.endsWith("/");
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

function stopOnSignal(server: Server, pages: PagesProcess, runtime: Runtime): void {
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

/** Lets requests under way finish, for a bounded time, and takes no new ones. */
function drain(server: Server): Promise<void> {
  return new Promise((resolve) => {
    if (!server.listening) return resolve();
    const giveUp = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
    // A connection kept alive turns idle when its request under way is answered, so one look is not enough.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearTimeout(giveUp);
      clearInterval(idle);
      resolve();
    });
  });
}

main().catch((error: unknown) => {
  // The log may not exist yet, and an operator at a terminal wants the sentence, not the stack.
  process.stderr.write(`Spotline could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
