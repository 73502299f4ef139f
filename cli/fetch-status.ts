import { toIso, withDatabase } from "@/cli/command";
import { createOperatorTickets, loadSessionSecret } from "@/lib/access/sign-in/tickets";
import { STATUS_PATH, type StatusData } from "@/lib/pages/status-data";
import { type Config, loadConfig } from "@/lib/platform/config";
import { systemClock } from "@/lib/platform/timing/clock";
import type { ServerStatus } from "@/lib/readers/messages";
import { SECOND_MS } from "@/lib/time/units";

const TIMEOUT_MS = 5 * SECOND_MS;

/** Reads the data of the status page from the running server. Throws an Error if none answers, or not in time. */
export async function fetchStatus(): Promise<StatusData> {
  const config = loadConfig(process.env);
  const secret = config.sessionSecret ?? (await withDatabase(loadSessionSecret));
  const address = getServerAddress(config);
  const headers = { Authorization: createOperatorTickets(secret, systemClock).issue() };
  let answer: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    answer = await fetch(address + STATUS_PATH, { headers, signal, redirect: "manual" });
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    const late = `The server at ${address} has not answered within ${TIMEOUT_MS / SECOND_MS} s. Its pages may be starting.`;
    throw new Error(isLate ? late : `No server answers at ${address}.`);
  }
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: it is not the server of these settings.`);
  return (await answer.json()) as StatusData;
}

/** Returns the base URL of the configured server, as seen from its own machine. */
export function getServerAddress({ host, port }: Pick<Config, "host" | "port">): string {
  const reachable = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

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
    second_spellings: state.seconds.map(({ leftAtMs, ...second }) => ({ ...second, left_at: toIso(leftAtMs) })),
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
