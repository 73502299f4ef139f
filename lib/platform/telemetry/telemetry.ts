import type { Telemetry } from "@/lib/platform/telemetry/exporter";

/** The two kinds of data that are sent. */
interface Signals {
  readonly traces: boolean;
  readonly logs: boolean;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Calls and lines that wait for the packages to be loaded; further ones are not sent. */
const MAX_WAITING = 10_000;

/**
 * What the standard variables `OTEL_*` switch on: both kinds by OTEL_EXPORTER_OTLP_ENDPOINT, or one by its own variables.
 */
export function readSignals(env: Environment): Signals {
  if (env["OTEL_SDK_DISABLED"]?.toLowerCase() === "true") return { traces: false, logs: false };
  const isOn = (name: string): boolean => {
    const exporter = env[`OTEL_${name}_EXPORTER`] ?? "";
    if (exporter !== "") return exporter === "otlp";
    return [env["OTEL_EXPORTER_OTLP_ENDPOINT"], env[`OTEL_EXPORTER_OTLP_${name}_ENDPOINT`]].some(Boolean);
  };
  return { traces: isOn("TRACES"), logs: isOn("LOGS") };
}

/**
 * Opens the connection to a collector, if there is one: null without. The packages are loaded only then and in the
 * background, so that neither a start nor a call waits for them.
 *
 * @param part the process, which each span and line names
 * @param report receives a sentence about each failure
 */
export function openTelemetry(
  env: Environment,
  part: "server" | "pages",
  report: (message: string, error: unknown) => void,
): Telemetry | null {
  const signals = readSignals(env);
  if (!signals.traces && !signals.logs) return null;
  let waiting: ((exporter: Telemetry) => void)[] | null = [];
  let exporter: Telemetry | null = null;
  const loaded = import("@/lib/platform/telemetry/exporter").then(
    ({ createExporter }) => {
      exporter = createExporter(signals, part, report);
      for (const pass of waiting ?? []) pass(exporter);
      waiting = null;
    },
    (error: unknown) => {
      waiting = null;
      report("OpenTelemetry could not be loaded", error);
    },
  );
  const pass = (send: (to: Telemetry) => void): void => {
    if (exporter !== null) send(exporter);
    else if (waiting !== null && waiting.length < MAX_WAITING) waiting.push(send);
  };
  return {
    noteCall: (line) => pass((to) => to.noteCall(line)),
    noteLine: (line) => pass((to) => to.noteLine(line)),
    async stop(): Promise<void> {
      await loaded;
      await exporter?.stop();
    },
  };
}
