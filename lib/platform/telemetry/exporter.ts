import { diag, DiagLogLevel } from "@opentelemetry/api";
import { OTLPLogExporter } from "@opentelemetry/exporter-logs-otlp-http";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import {
  defaultResource,
  detectResources,
  envDetector,
  type Resource,
  resourceFromAttributes,
} from "@opentelemetry/resources";
import { BatchLogRecordProcessor, LoggerProvider } from "@opentelemetry/sdk-logs";
import { BasicTracerProvider, BatchSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { createCallSpan } from "@/lib/platform/telemetry/call-span";
import { emitLine } from "@/lib/platform/telemetry/log-record";
import type { Telemetry } from "@/lib/platform/telemetry/telemetry";
import { version } from "@/lib/platform/version";
import { MINUTE_MS, SECOND_MS } from "@/lib/time/units";

const NAME = "spotline";
/** How long the end of the process waits for a collector. */
const STOP_MS = 2 * SECOND_MS;

/** Sends spans and log records over HTTP as JSON, in batches and with bounded queues. `OTEL_*` has the addresses. */
export function createExporter(
  signals: { readonly traces: boolean; readonly logs: boolean },
  part: string,
  report: (message: string, error: unknown) => void,
): Telemetry {
  reportFailures(report);
  const resource = describeProcess(part);
  const spans = signals.traces
    ? new BasicTracerProvider({ resource, spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())] })
    : null;
  const lines = signals.logs
    ? new LoggerProvider({ resource, processors: [new BatchLogRecordProcessor({ exporter: new OTLPLogExporter() })] })
    : null;
  const tracer = spans?.getTracer(NAME, version);
  const logger = lines?.getLogger(NAME, version);
  return {
    noteCall: (line) => void (tracer && createCallSpan(tracer, line)),
    noteLine: (line) => void (logger && emitLine(logger, line)),
    async stop(): Promise<void> {
      const ended = Promise.allSettled([spans?.shutdown(), lines?.shutdown()]);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, STOP_MS))]);
    },
  };
}

/** The name and version of the service; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES come before them. */
function describeProcess(part: string): Resource {
  const own = {
    "service.name": NAME,
    "service.version": version,
    "spotline.process": part,
    "process.pid": process.pid,
  };
  const given = detectResources({ detectors: [envDetector] });
  return defaultResource().merge(resourceFromAttributes(own)).merge(given);
}

/** Passes the messages of the packages on, at most one a minute: a collector may be away for long. */
function reportFailures(report: (message: string, error: unknown) => void): void {
  let reportedAtMs = -Infinity;
  const note = (message: string, ...details: unknown[]): void => {
    if (performance.now() - reportedAtMs < MINUTE_MS) return;
    reportedAtMs = performance.now();
    report("OpenTelemetry data could not be sent", [message, ...details].map(String).join(" ").slice(0, 1_000));
  };
  const ignore = (): void => {};
  const logger = { error: note, warn: note, info: ignore, debug: ignore, verbose: ignore };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}
