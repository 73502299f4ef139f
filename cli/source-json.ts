import { toIso } from "@/cli/access";
import type { ServerStatus } from "@/lib/readers/server-status";

type SourceState = ServerStatus["feeds"][number];

/** Converts the state of a source to the JSON of the commands. */
export function toSourceJson(state: SourceState) {
  return {
    source: state.source,
    kind: state.kind,
    mode: state.mode,
    health: state.health,
    connection: state.status,
    connection_detail: state.statusDetail,
    connected_since: toIso(state.connectedSinceMs),
    reconnections: state.reconnections,
    last_tick_at: toIso(state.lastTickAtMs),
    last_minute: state.lastMinute,
    expected_per_minute: state.expectedPerMinute,
    clock_offset_ms: state.clockOffsetMs,
    latency_ms: state.latencyMs,
    accepted: state.accepted,
    refused: state.refused,
    refused_samples: Object.fromEntries(
      Object.entries(state.samples).map(([reason, ticks]) => [
        reason,
        ticks.map(({ brokerSymbol, bid, ask, brokerTimeMs }) => ({
          brokerSymbol,
          bid,
          ask,
          time: formatTime(brokerTimeMs),
        })),
      ]),
    ),
    unresolved: state.unresolved,
    last_error: state.lastError,
    gaps: {
      count: state.gaps.count,
      latest: state.gaps.latest.map(({ fromMs, toMs, reason }) => ({ from: toIso(fromMs), to: toIso(toMs), reason })),
    },
  };
}

/** A broker may send a time that is no date. */
function formatTime(timeMs: number): string | null {
  const date = new Date(timeMs);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

export function describeConnection({ status, health }: Pick<SourceState, "status" | "health">): string {
  if (health === "paused") return "paused";
  return status ?? "no connection yet";
}
