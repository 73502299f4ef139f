import type { SourceHealth, SourceState } from "@/lib/feeds/set/source-state";
import type { Metric } from "@/lib/runtime/metrics/registry";
import { SECOND_MS } from "@/lib/time/units";

const SOURCE_STATES: readonly SourceHealth[] = ["ok", "slow", "down", "paused", "closed"];

/** One sample of each source; none for those where `read` returns null. */
function readSources(read: (source: SourceState) => number | null): Metric["read"] {
  return ({ sources }) =>
    sources.flatMap((state) => {
      const value = read(state);
      return value === null ? [] : [[{ source: state.source }, value] as const];
    });
}

/** The metrics of each source. */
export const SOURCES: readonly Metric[] = [
  {
    type: "gauge",
    name: "spotline_source_state",
    help: "1 for the state that the source is in, 0 for the others.",
    labels: ["source", "state"],
    read: ({ sources }) =>
      sources.flatMap(({ source, health }) =>
        SOURCE_STATES.map((state) => [{ source, state }, health === state ? 1 : 0] as const),
      ),
  },
  {
    type: "counter",
    name: "spotline_source_reconnections_total",
    help: "How often the source was connected again after an interruption.",
    labels: ["source"],
    read: readSources(({ reconnections }) => reconnections),
  },
  {
    type: "counter",
    name: "spotline_source_ticks_total",
    help: "Accepted ticks.",
    labels: ["source"],
    read: readSources(({ accepted }) => accepted),
  },
  {
    type: "counter",
    name: "spotline_source_refused_total",
    help: "Refused ticks by reason.",
    labels: ["source", "reason"],
    read: ({ sources }) =>
      sources.flatMap(({ source, refused }) =>
        Object.entries(refused).map(([reason, count]) => [{ source, reason }, count] as const),
      ),
  },
  {
    type: "gauge",
    name: "spotline_source_last_tick_age_seconds",
    help: "Seconds since the last accepted tick of the source; absent before the first.",
    labels: ["source"],
    read: (state) =>
      readSources(({ lastTickAtMs }) =>
        lastTickAtMs === null ? null : Math.max(0, state.marketNowMs - lastTickAtMs) / SECOND_MS,
      )(state),
  },
  {
    type: "gauge",
    name: "spotline_source_latency_seconds",
    help: "Mean time from the clock of the source to ours in the last minute; absent without a recent tick.",
    labels: ["source"],
    read: readSources(({ latencyMs }) => (latencyMs === null ? null : latencyMs / SECOND_MS)),
  },
];
