import { expect, test } from "vitest";
import { openTelemetry, readSignals } from "@/lib/platform/telemetry/telemetry";

const ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT";

test.each([
  [{}, { traces: false, logs: false }],
  [{ OTEL_SERVICE_NAME: "prices" }, { traces: false, logs: false }],
  [{ [ENDPOINT]: "" }, { traces: false, logs: false }],
  [{ [ENDPOINT]: "http://collector:4318" }, { traces: true, logs: true }],
  [
    { [ENDPOINT]: "http://collector:4318", OTEL_LOGS_EXPORTER: "none" },
    { traces: true, logs: false },
  ],
  [
    { [ENDPOINT]: "http://collector:4318", OTEL_SDK_DISABLED: "true" },
    { traces: false, logs: false },
  ],
  [{ OTEL_EXPORTER_OTLP_LOGS_ENDPOINT: "http://collector:4318/v1/logs" }, { traces: false, logs: true }],
  [{ OTEL_TRACES_EXPORTER: "otlp" }, { traces: true, logs: false }],
])("The environment %j sends %j.", (env, signals) => expect(readSignals(env)).toEqual(signals));

test("Without a collector nothing is opened.", () => {
  expect(openTelemetry({}, "server", () => {})).toBeNull();
});
