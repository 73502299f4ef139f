import { createNodeHost } from "@/lib/api/node-host";
import { createSocketHost } from "@/lib/api/stream/socket-host";
import { createHttpServer } from "@/lib/http/http-server";
import { routeUpgrades } from "@/lib/http/pipelines";
import { instruments } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { warmNextTick } from "@/lib/platform/timing/warm-next-tick";
import { startServer } from "@/lib/runtime/server";
import { addStreams } from "@/lib/runtime/streams";

/** Serves the API with its streams as server.ts does, with further price changes: BENCH_CHANGES a second. */

warmNextTick();
const runtime = addStreams(await startServer());
const http = createHttpServer(runtime);
await http.listen();
http.serve(createNodeHost(runtime, runtime.config));
const answerSocket = createSocketHost(runtime, runtime.config);
routeUpgrades(http.server, () => answerSocket);

const perSecond = Number(process.env.BENCH_CHANGES);
const source = runtime.listSources()[0]?.name ?? "";
const startedAtMs = performance.now();
let changes = 0;
setInterval(() => {
  for (const due = ((performance.now() - startedAtMs) * perSecond) / 1_000; changes < due; changes++) {
    const instrument = instruments[changes % instruments.length] as Instrument;
    const bid = 1 + (changes % 1_000);
    // The spread marks the changes whose delay is measured.
    runtime.book.accept({ source, instrument, bid, ask: bid + 7, timeMs: Date.now() });
    runtime.streams.onQuote({ instrument, source, bid });
  }
}, 4);
process.on("SIGTERM", () => {
  runtime.endStreams();
  void runtime.stop().then(() => process.exit(0));
});
