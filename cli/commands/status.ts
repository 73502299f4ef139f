import { toIso, withDatabase } from "@/cli/access";
import type { Command } from "@/cli/command";
import { getServerAddress } from "@/cli/server-address";
import { formatTable } from "@/cli/table";
import { createOperatorTickets } from "@/lib/access/sign-in/operator-tickets";
import { loadSessionSecret } from "@/lib/access/sign-in/session-secret";
import type { ServerStatus } from "@/lib/pages/server-status";
import type { StatusData } from "@/lib/pages/status-data";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { formatBytes } from "@/lib/text/bytes";
import { formatUptime } from "@/lib/time/duration";
import { formatAge } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

const TIMEOUT_MS = 5_000;

/** The status page as text: feeds, recent calls, recording, memory and database. */
export const status: Command = {
  name: "status",
  summary: "Show the feeds, calls and recording of the running server",
  options: {},
  async run() {
    const data = await fetchStatus();
    if (data.status === null) throw new Error("The server has only just started. Ask again in a moment.");
    return { json: toJson(data, data.status), text: formatStatus(data, data.status) };
  },
};

async function fetchStatus(): Promise<StatusData> {
  const config = loadConfig(process.env);
  const secret = config.sessionSecret ?? (await withDatabase(loadSessionSecret));
  const address = getServerAddress(config);
  const headers = { Authorization: createOperatorTickets(secret, systemClock).issue() };
  let answer: Response;
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    answer = await fetch(`${address}/status/data`, { headers, signal, redirect: "manual" });
  } catch {
    throw new Error(`No server answers at ${address}.`);
  }
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: it is not the server of these settings.`);
  return (await answer.json()) as StatusData;
}

function toJson({ nowMs, keys, streams, pages, database }: StatusData, status: ServerStatus): object {
  const { feeds, recorder, backfill, traffic, vitals } = status;
  return {
    time: toIso(nowMs),
    uptime_s: vitals.uptimeS,
    event_loop_delay_ms: vitals.delayMs,
    memory_bytes: { server: vitals.residentBytes, pages: pages.residentBytes },
    database,
    open_streams: streams,
    feeds: feeds.map(({ source, status: connection, lastTickAtMs, accepted, refused }) => {
      return { source, connection, last_tick_at: toIso(lastTickAtMs), accepted, refused };
    }),
    last_minute: { per_second: traffic.seconds, statuses: traffic.statuses, endpoints: traffic.endpoints, keys },
    recorder,
    backfill,
  };
}

function formatStatus({ nowMs, keys, database }: StatusData, status: ServerStatus): string {
  const { feeds, recorder, backfill, traffic, vitals } = status;
  const calls = Object.values(traffic.statuses).reduce((sum, count) => sum + count, 0);
  const size = database.bytes === null ? "" : `, ${formatBytes(database.bytes)}`;
  return [
    `Running for ${formatUptime(vitals.uptimeS * SECOND_MS)}, ${formatBytes(vitals.residentBytes)} of memory, event loop delayed by ` +
      `${vitals.delayMs.p99} ms at p99; ${database.kind} database${size}.`,
    `Recorded ${recorder.recorded} seconds, lost ${recorder.dropped}; back-fill: ${backfill.phase}, ` +
      `${backfill.done} of ${backfill.total} symbols.`,
    formatTable([
      ["SOURCE", "CONNECTION", "LAST TICK", "ACCEPTED", "REFUSED"],
      ...feeds.map(({ source, status: connection, lastTickAtMs, accepted, refused }) => [
        source,
        connection ?? "no connection yet",
        lastTickAtMs === null ? "never" : `${formatAge(nowMs - lastTickAtMs)} ago`,
        String(accepted),
        String(Object.values(refused).reduce((sum, count) => sum + count, 0)),
      ]),
    ]),
    `${calls === 1 ? "1 call" : `${calls} calls`} in the last minute.`,
    ...(calls === 0 ? [] : formatCallTables(traffic.endpoints, keys)),
  ].join("\n\n");
}

function formatCallTables(endpoints: ServerStatus["traffic"]["endpoints"], keys: StatusData["keys"]): string[] {
  const counts = ({ calls, refused }: { calls: number; refused: number }) => [String(calls), String(refused)];
  const heading = ["CALLS", "4XX, 5XX"];
  return [
    formatTable([["ENDPOINT", ...heading], ...endpoints.map((each) => [each.endpoint, ...counts(each)])]),
    formatTable([["KEY", ...heading], ...keys.map((each) => [formatName(each), ...counts(each)])]),
  ];
}

function formatName({ label, account }: StatusData["keys"][number]): string {
  return label === null ? "a deleted key" : `${label} (${account})`;
}
