import {
  diag,
  DiagLogLevel,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  type TextMapGetter,
  type Tracer,
} from "@opentelemetry/api";
import type { AnyValueMap, Logger } from "@opentelemetry/api-logs";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
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
import { isProbe, type RequestLine } from "@/lib/platform/log/request-line";
import { systemClock } from "@/lib/platform/timing/clock";
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

const propagator = new W3CTraceContextPropagator();
/** Reads the headers of a call. */
const getter: TextMapGetter<RequestLine["caller"]> = {
  keys: () => [],
  get: (caller, name) => caller.header?.(name),
};

/**
 * Creates the span of an answered call, which ends now: a child of the span in the caller's `traceparent`. Probes have
 * none.
 */
function createCallSpan(
  tracer: Tracer,
  { id, method, path, status, ms, key, caller }: RequestLine,
  nowMs = systemClock(),
): void {
  if (isProbe(path)) return;
  const address = caller.address();
  const span = tracer.startSpan(
    `${method} ${path}`,
    {
      kind: SpanKind.SERVER,
      startTime: toTime(nowMs - ms),
      attributes: {
        "http.request.method": method,
        "http.response.status_code": status,
        "spotline.request_id": id,
        ...(path.startsWith("/") && { "http.route": path }),
        ...(address !== null && { "client.address": address }),
        ...(key !== null && { "spotline.key_id": key.id }),
      },
    },
    propagator.extract(ROOT_CONTEXT, caller, getter),
  );
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end(toTime(nowMs));
}

/** Seconds and nanoseconds: a number of milliseconds would be taken for the time since the start while it is small. */
function toTime(ms: number): [seconds: number, nanoseconds: number] {
  const seconds = Math.floor(ms / SECOND_MS);
  return [seconds, Math.round((ms - seconds * SECOND_MS) * 1e6)];
}

/** pino's levels, and the severity of OpenTelemetry that each begins at. */
const SEVERITIES = [
  { level: 60, number: 21, text: "FATAL" },
  { level: 50, number: 17, text: "ERROR" },
  { level: 40, number: 13, text: "WARN" },
  { level: 30, number: 9, text: "INFO" },
  { level: 20, number: 5, text: "DEBUG" },
  { level: 0, number: 1, text: "TRACE" },
] as const;

/** Emits a line of the log: its message is the body, its other fields are attributes. Lines of a request have no message. */
function emitLine(logger: Logger, line: string): void {
  const { level, time, msg, ...fields } = JSON.parse(line) as { level: number; time: string; msg?: string };
  const severity = SEVERITIES.find((each) => level >= each.level);
  const { method, path, status } = fields as { method?: string; path?: string; status?: number };
  logger.emit({
    timestamp: new Date(time),
    body: msg ?? `${method} ${path} ${status}`,
    ...(severity && { severityNumber: severity.number, severityText: severity.text }),
    attributes: flatten(fields),
  });
}

/** Attributes are plain values; objects such as an error's become dotted names: `err.message`. */
function flatten(fields: object, prefix = "", found: AnyValueMap = {}): AnyValueMap {
  for (const [name, value] of Object.entries(fields) as [string, unknown][]) {
    if (value === null || value === undefined) continue;
    if (Array.isArray(value)) found[prefix + name] = JSON.stringify(value);
    else if (typeof value === "object") flatten(value, `${prefix}${name}.`, found);
    else found[prefix + name] = value as string | number | boolean;
  }
  return found;
}

/** Where calls and log lines go besides the log: to a collector of OpenTelemetry. */
export interface Telemetry {
  /** Notes an answered call as a span. */
  noteCall(line: RequestLine): void;
  /** Notes a line of the log, as JSON. */
  noteLine(line: string): void;
  /** Sends what is left, within a bound of time. */
  stop(): Promise<void>;
}
