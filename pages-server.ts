import { rmSync } from "node:fs";
import { createServer } from "node:http";
import next from "next";
import { startPagesRuntime } from "@/lib/runtime";

/** The process that renders the pages. The server forks it, carries requests to its socket, and tells it when to end. */
async function main(): Promise<void> {
  const socketPath = process.env.SPOTLINE_PAGES_SOCKET;
  if (socketPath === undefined || process.send === undefined)
    throw new Error("Start server.ts instead: it starts the pages.");
  // A terminal's Ctrl-C reaches every process of its group; this one waits for the server's word.
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => {});
  process.env.NEXT_MANUAL_SIG_HANDLE = "1";
  const { runtime, link } = await startPagesRuntime();
  const { config, log } = runtime;
  // The server has held every request to its own, lower limit, and has added headers since.
  const server = createServer({ maxHeaderSize: 64 * 1024 });
  // The server keeps its connections, and would lose a request to one that closes under it.
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
  server.on("request", (request, response) => {
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
  rmSync(socketPath, { force: true });
  server.listen(socketPath, link.tellListening);
}

main().catch((error: unknown) => {
  process.stderr.write(`The pages could not start: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});
