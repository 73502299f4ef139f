import type { RequestListener, Server } from "node:http";
import { splitTarget } from "@/lib/api/engine/call";
import type { PriceStreams } from "@/lib/api/stream/price-streams";
import { createHttpServer, type HttpServer } from "@/lib/http/http-server";
import type { CallCounts } from "@/lib/platform/metrics/call-counts";
import { monotonicClock } from "@/lib/platform/timing/clock";
import type { Vitals } from "@/lib/platform/vitals";
import type { WriterLink } from "@/lib/readers/writer-link";
import { countConnections, METRICS_PATH, type MetricsParts } from "@/lib/runtime/metrics/state";
import type { openProcess } from "@/lib/runtime/services";
import { SECOND_MS } from "@/lib/time/units";

type OwnProcess = ReturnType<typeof openProcess>;
const NAMES = { port: "SPOTLINE_METRICS_PORT", host: "SPOTLINE_METRICS_HOST" };
/** The calls of pages are counted under this name: their paths are not ours to list. */
const PAGES = "pages";

/** The server of the port that only Prometheus uses; null without such a port. */
export function createScrapeServer({ config, log }: OwnProcess): HttpServer | null {
  const own = config.metrics?.own ?? null;
  return own === null ? null : createHttpServer({ config: { ...config, ...own }, log, names: NAMES });
}

/** What answers scrapes; null where no metrics are served. Then the library is not loaded either. */
export async function openMetrics(
  { config, calls, log }: OwnProcess,
  parts: Omit<MetricsParts, "calls">,
): Promise<RequestListener | null> {
  if (config.metrics === null || calls === null) return null;
  const { createMetricsHost } = await import("@/lib/runtime/metrics/metrics-host");
  return createMetricsHost({ ...parts, calls }, { token: config.metrics.token, log });
}

/** Passes scrapes of the public port on. Other spellings of their path are those of pages. */
export function passScrapes(answerScrape: RequestListener, answerOther: RequestListener): RequestListener {
  return (request, response) => {
    if (splitTarget(request.url ?? "/").path === METRICS_PATH) answerScrape(request, response);
    else answerOther(request, response);
  };
}

/** Counts the answers of pages, if metrics are served. */
export function countPages(calls: CallCounts | null, servePage: RequestListener): RequestListener {
  if (calls === null) return servePage;
  return (request, response) => {
    const startedAtMs = monotonicClock();
    response.once("finish", () => calls.count(PAGES, response.statusCode, monotonicClock() - startedAtMs));
    servePage(request, response);
  };
}

interface Options {
  /** Null where no metrics are served: then nothing is reported. */
  readonly calls: CallCounts | null;
  readonly server: Pick<Server, "getConnections">;
  readonly streams: Pick<PriceStreams, "size">;
  /** Read by nothing else, since each reading covers the time since the one before. */
  readonly vitals: () => Vitals;
  readonly lagMs: () => number;
}

/**
 * Reports every second what this process has counted to the writer, which answers scrapes for all processes. Returns a
 * function that sends the last report.
 */
export function reportProcess({ calls, server, streams, vitals, lagMs }: Options, link: Pick<WriterLink, "send">) {
  async function send(): Promise<void> {
    if (calls === null) return;
    const connections = await countConnections(server);
    const delayMs = vitals().delayMs.max;
    const counts = { calls: calls.toJSON(), connections, streams: streams.size };
    link.send({ type: "report", report: { ...counts, delayMs, lagMs: lagMs() } });
  }

  const timer = setInterval(() => void send(), SECOND_MS).unref();
  return async (): Promise<void> => {
    clearInterval(timer);
    await send();
  };
}
