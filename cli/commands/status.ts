import { type Command, formatTable, toIso } from "@/cli/command";
import { describeConnection, fetchStatus, toSourceJson } from "@/cli/fetch-status";
import { listProblems } from "@/lib/api/service/health-check";
import type { StatusData } from "@/lib/pages/status-data";
import type { ServerStatus } from "@/lib/readers/messages";
import { formatBytes } from "@/lib/text/text";
import { formatAge, formatUptime } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

/** The status page as text: health, feeds, recent calls, recording, memory and database. */
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

function toJson({ nowMs, keys, streams, pages, database }: StatusData, status: ServerStatus): object {
  const { health, feeds, recorder, backfill, traffic, vitals } = status;
  return {
    time: toIso(nowMs),
    health,
    uptime_s: vitals.uptimeS,
    event_loop_delay_ms: vitals.delayMs,
    memory_bytes: { server: vitals.residentBytes, pages: pages?.residentBytes ?? null },
    database,
    open_streams: streams,
    feeds: feeds.map(toSourceJson),
    last_minute: { per_second: traffic.seconds, statuses: traffic.statuses, endpoints: traffic.endpoints, keys },
    recorder,
    backfill,
  };
}

function formatStatus({ nowMs, keys, database }: StatusData, status: ServerStatus): string {
  const { health, feeds, recorder, backfill, traffic, vitals } = status;
  const calls = Object.values(traffic.statuses).reduce((sum, count) => sum + count, 0);
  const size = database.bytes === null ? "" : `, ${formatBytes(database.bytes)}`;
  return [
    `Health: ${[health.status, ...listProblems(health.components)].join("; ")}.`,
    `Running for ${formatUptime(vitals.uptimeS * SECOND_MS)}, ${formatBytes(vitals.residentBytes)} of memory, event loop delayed by ` +
      `${vitals.delayMs.p99} ms at p99; ${database.kind} database${size}.`,
    formatRecording(recorder, backfill),
    formatTable([
      ["SOURCE", "CONNECTION", "LAST TICK", "ACCEPTED", "REFUSED"],
      ...feeds.map(({ lastTickAtMs, accepted, refused, ...feed }) => [
        feed.source,
        describeConnection(feed),
        lastTickAtMs === null ? "never" : `${formatAge(nowMs - lastTickAtMs)} ago`,
        String(accepted),
        String(Object.values(refused).reduce((sum, count) => sum + count, 0)),
      ]),
    ]),
    `${calls === 1 ? "1 call" : `${calls} calls`} in the last minute.`,
    ...(calls === 0 ? [] : formatCallTables(traffic.endpoints, keys)),
  ].join("\n\n");
}

function formatRecording(recorder: ServerStatus["recorder"], { phase, done, total }: ServerStatus["backfill"]): string {
  if (recorder.standbyFor !== null) return `Standby: ${recorder.standbyFor} records.`;
  const recorded = `Recorded ${recorder.recorded} seconds, lost ${recorder.dropped}`;
  return `${recorded}; back-fill: ${phase}, ${done} of ${total} symbols.`;
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
