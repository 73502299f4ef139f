import { ROOT_CONTEXT, SpanKind, SpanStatusCode, type TextMapGetter, type Tracer } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import { isProbe, type RequestLine } from "@/lib/platform/log/request-line";
import { systemClock } from "@/lib/platform/timing/clock";
import { SECOND_MS } from "@/lib/time/units";

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
export function createCallSpan(
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
