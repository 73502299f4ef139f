import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import next from "next";
import { isApiTarget } from "@/lib/api/api-target";
import { createStaticFiles } from "@/lib/pages/static-files";
import { describeFault } from "@/lib/platform/database/database-errors";
import { endOnFault } from "@/lib/platform/faults";
import { removeLocalSocket } from "@/lib/platform/local-socket";
import type { WriterLink } from "@/lib/readers/writer-link";
import type { StartedRuntime } from "@/lib/runtime";
import { shareRuntime } from "@/lib/runtime/share-runtime";

/** Runs the process that renders the pages. The server forks it, forwards requests to its socket, and ends it. */
export function runPages(start: () => Promise<StartedRuntime & { readonly link: WriterLink }>): void {
  main(start).catch((error: unknown) => {
    process.stderr.write(`The pages could not start: ${describeFault(error)}\n`);
    process.exit(1);
  });
}

async function main(start: Parameters<typeof runPages>[0]): Promise<void> {
  const socketPath = process.env.SPOTLINE_PAGES_SOCKET;
  if (socketPath === undefined || process.send === undefined)
    throw new Error("Start server.ts instead: it starts the pages.");
  // Ctrl-C in a terminal reaches every process of its group; this one waits for the server's message.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
  process.env.NEXT_MANUAL_SIG_HANDLE = "1";
  const runtime = await start();
  shareRuntime(runtime);
  const { config, log, link } = runtime;
  // Next would only log the error. The server starts the process again.
  endOnFault(log, () => process.exit(1));
  // The server has already applied its own, lower limit, and has added headers since.
  const server = createServer({ maxHeaderSize: 64 * 1024 });
  // The server keeps its connections open; a connection closed here would lose a request.
  server.keepAliveTimeout = 0;
  const app = next({
    dev: !config.production,
    dir: process.cwd(),
    hostname: config.host,
    port: config.port,
    httpServer: server,
  });
  await app.prepare();
  const render = app.getRequestHandler();
  const serveStatic = config.production ? createStaticFiles(join(process.cwd(), ".next", "static")) : () => false;
  const build = readBuild(config.production);
  process.env.SPOTLINE_BUILD = build;
  server.on("request", (request, response) => {
    // Open tabs compare it with the build that they have loaded. The answers of the API have no header that is not documented.
    if (!isApiTarget(request.url ?? "/")) response.setHeader("Spotline-Build", build);
    if (serveStatic(request, response)) return;
    render(request, response).catch((error: unknown) => {
      log.error({ err: error }, "page failed");
      response.destroy();
    });
  });
  link.onStop(() => {
    runtime.endStreams();
    const end = () => void runtime.stop().then(() => process.exit(0));
    server.close(end);
    setInterval(() => server.closeIdleConnections(), 50);
  });
  await removeLocalSocket(socketPath);
  server.listen(socketPath, () => link.send({ type: "listening" }));
}

/** The id of the build, which is a new one for each; "" in development, where browsers receive changed code. */
function readBuild(isBuilt: boolean): string {
  return isBuilt ? readFileSync(join(process.cwd(), ".next", "BUILD_ID"), "utf8").trim() : "";
}
