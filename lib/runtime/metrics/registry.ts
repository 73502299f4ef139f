import { collectDefaultMetrics, Counter, Gauge, Registry } from "prom-client";
import { version } from "@/lib/platform/version";
import { describeMarket } from "@/lib/runtime/metrics/describe-market";
import { describeServer } from "@/lib/runtime/metrics/describe-server";
import { DurationHistogram } from "@/lib/runtime/metrics/duration-histogram";
import type { MetricsState } from "@/lib/runtime/metrics/state";

type Sample = readonly [labels: Readonly<Record<string, string>>, value: number];

/** A metric and how it follows from the state of the server. */
export interface Metric {
  /** A counter only rises, and its name ends in "_total". */
  readonly type: "gauge" | "counter";
  readonly name: string;
  readonly help: string;
  /** The names of its labels, whose values are ours and few; none unless given. */
  readonly labels?: readonly string[];
  readonly read: (state: MetricsState) => Iterable<Sample> | number;
}

/** The metrics of Spotline, of the process and of Node. Each scrape reads the state that `getState` returns then. */
export function createRegistry(getState: () => MetricsState): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  for (const metric of [BUILD, ...describeServer(), ...describeMarket()]) addMetric(registry, metric, getState);
  registry.registerMetric(
    new DurationHistogram(
      { name: "spotline_http_request_duration_seconds", help: "Time from the call to its answer, by endpoint." },
      () => getState().calls,
    ),
  );
  return registry;
}

const BUILD: Metric = {
  type: "gauge",
  name: "spotline_build_info",
  help: "The version of Spotline; the value is 1.",
  labels: ["version"],
  read: () => [[{ version }, 1]],
};

function addMetric(
  registry: Registry,
  { type, name, help, labels = [], read }: Metric,
  getState: () => MetricsState,
): void {
  const list = (): Iterable<Sample> => {
    const found = read(getState());
    return typeof found === "number" ? [[{}, found]] : found;
  };
  const options = { name, help, labelNames: [...labels], registers: [registry] };
  if (type === "gauge") {
    new Gauge({
      ...options,
      collect() {
        this.reset();
        // Without labels it would be 0 where there is no value.
        if (labels.length === 0) this.remove();
        for (const [values, value] of list()) this.set(values, value);
      },
    });
  } else {
    new Counter({
      ...options,
      collect() {
        this.reset();
        for (const [values, value] of list()) this.inc(values, value);
      },
    });
  }
}
