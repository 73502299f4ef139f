import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { existsSync } from "node:fs";
import { clientAddress } from "@/lib/api/client-address";
import { createNodeHost, isApiTarget } from "@/lib/api/node-host";
import { refuseBadRequest } from "@/lib/api/bad-request";
import { splitTarget } from "@/lib/api/call";
import { TARGET_HEADER } from "@/lib/api/next-host";
import { startServerRuntime, type Runtime } from "@/lib/runtime";

/**
 * The process: one HTTP server. `/v1` goes straight to the API's own host, everything else to Next, and SIGTERM ends
 * both without losing a request or a count.
 */

const DRAIN_MS = 8_000;

async function main(): Promise<void> {
  if (existsSync(".env")) process.loadEnvFile(".env");
  // Next would otherwise exit at SIGTERM before anything could be drained or flushed.
  process.env.NEXT_MANUAL_SIG_HANDLE = "1";
  process.env.NEXT_TELEMETRY_DISABLED = "1";
  const runtime = await startServerRuntime();
  const { config, log } = runtime;
  process.env.NEXTAUTH_URL ??= config.url ?? `http://localhost:${config.port}`;
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 2_000 });
  server.keepAliveTimeout = 65_000;
  server.on("clientError", refuseBadRequest);
  stopOnSignal(server, runtime);
  // Loaded last: Next replaces Date and other globals by slower ones, which those who hold the originals are spared.
  const { default: next } = await import("next");
  const app = next({
    dev: !config.production,
    dir: process.cwd(),
    hostname: config.host,
    port: config.port,
    httpServer: server,
  });
  await app.prepare();
  server.on("request", dispatcher(runtime, app.getRequestHandler()));
  await listen(server, config.port, config.host);
  log.info(`Spotline is ready on http://localhost:${portOf(server)}`);
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

function dispatcher(runtime: Runtime, pages: Handler): Handler {
  const { config, log } = runtime;
  const api = createNodeHost(runtime, config);
  return (request, response) => {
    if (runtime.stopping.aborted) response.setHeader("Connection", "close");
    const target = request.url ?? "/";
    if (isApiTarget(target) && (config.v1Host === "node" || !reachesNextRoute(target))) return api(request, response);
    vouchForAddress(request, config.trustedProxies);
    request.headers[TARGET_HEADER] = target;
    void Promise.resolve(pages(request, response)).catch((error: unknown) => {
      log.error({ err: error }, "page failed");
      response.destroy();
    });
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

/**
 * Replaces the forwarding headers a client sent by what is known, since Next and next-auth take them at their word.
 * Host and protocol are believed only where a proxy is configured that sets them.
 */
function vouchForAddress(request: IncomingMessage, trustedProxies: number): void {
  const { headers } = request;
  const forwardedFor = headers["x-forwarded-for"];
  const address = clientAddress(request.socket.remoteAddress, forwardedFor?.toString(), trustedProxies);
  delete headers.forwarded;
  delete headers["x-real-ip"];
  delete headers["x-forwarded-port"];
  if (trustedProxies === 0) {
    delete headers["x-forwarded-host"];
    delete headers["x-forwarded-proto"];
  }
  // An address nobody vouched for is sent as one that no allow-list can name.
  headers["x-forwarded-for"] = address ?? "unknown";
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

function stopOnSignal(server: Server, runtime: Runtime): void {
  let stopping = false;
  const stop = async (signal: string): Promise<void> => {
    if (stopping) return;
    stopping = true;
    runtime.log.info({ signal }, "stopping");
    runtime.endStreams();
    await drain(server);
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
