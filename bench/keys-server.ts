import { createServer, type RequestListener } from "node:http";
import { createNodeHost as createUncheckedHost } from "unchecked:@/lib/api/node-host";
import { KEEP_ALIVE_SECONDS } from "@/lib/api/http-head";
import { createNodeHost } from "@/lib/api/node-host";
import { warmNextTick } from "@/lib/platform/timing/warm-next-tick";
import { startServer } from "@/lib/runtime/server";

/** Serves the API at PORT as server.ts does, and at BENCH_UNCHECKED_PORT without the checks of keys. */

warmNextTick();
const runtime = await startServer();
const { config } = runtime;
serve(createUncheckedHost(runtime, config), Number(process.env.BENCH_UNCHECKED_PORT));
serve(createNodeHost(runtime, config), config.port);
process.on("SIGTERM", () => void runtime.stop().then(() => process.exit(0)));

function serve(host: RequestListener, port: number): void {
  const server = createServer({ requestTimeout: 30_000, headersTimeout: 10_000, connectionsCheckingInterval: 2_000 });
  server.keepAliveTimeout = KEEP_ALIVE_SECONDS * 1000;
  server.on("request", host);
  server.listen(port, config.host);
}
