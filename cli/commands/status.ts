import { isoOf, withDatabase } from "@/cli/access";
import type { Command } from "@/cli/command";
import { serverAddress } from "@/cli/server-address";
import { table } from "@/cli/table";
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

/** What the status page shows, for a terminal: feeds, calls as they come, recording, and what all of it runs on. */
export const status: Command = {
  name: "status",
  summary: "Ask the running server how its feeds, its calls and its recording are doing",
  options: {},
  async run() {
    const sheet = await ask();
    if (sheet.status === null) throw new Error("The server has only just started. Ask again in a moment.");
    return { json: jsonOf(sheet, sheet.status), text: textOf(sheet, sheet.status) };
  },
};

async function ask(): Promise<StatusData> {
  const config = loadConfig(process.env);
  const secret = config.sessionSecret ?? (await withDatabase(loadSessionSecret));
  const address = serverAddress(config);
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

function jsonOf({ nowMs, keys, streams, pages, database }: StatusData, status: ServerStatus): object {
  const { feeds, recorder, backfill, traffic, vitals } = status;
  return {
    time: isoOf(nowMs),
    uptime_s: vitals.uptimeS,
    event_loop_delay_ms: vitals.delayMs,
    memory_bytes: { server: vitals.residentBytes, pages: pages.residentBytes },
    database,
    open_streams: streams,
    feeds: feeds.map(({ source, status: connection, lastTickAtMs, accepted, refused }) => {
      return { source, connection, last_tick_at: isoOf(lastTickAtMs), accepted, refused };
    }),
    last_minute: { per_second: traffic.seconds, statuses: traffic.statuses, endpoints: traffic.endpoints, keys },
    recorder,
    backfill,
  };
}

function textOf({ nowMs, keys, database }: StatusData, status: ServerStatus): string {
  const { feeds, recorder, backfill, traffic, vitals } = status;
  const calls = Object.values(traffic.statuses).reduce((sum, count) => sum + count, 0);
  const size = database.bytes === null ? "" : `, ${formatBytes(database.bytes)}`;
  return [
    `Running for ${formatUptime(vitals.uptimeS * SECOND_MS)}, ${formatBytes(vitals.residentBytes)} of memory, event loop delayed by ` +
      `${vitals.delayMs.p99} ms at p99; ${database.kind} database${size}.`,
    `Recorded ${recorder.recorded} seconds, lost ${recorder.dropped}; past filled: ${backfill.phase}, ` +
      `${backfill.done} of ${backfill.total} symbols.`,
    table([
      ["SOURCE", "CONNECTION", "LAST TICK", "ACCEPTED", "REFUSED"],
      ...feeds.map(({ source, status: connection, lastTickAtMs, accepted, refused }) => [
        source,
        connection ?? "nothing heard",
        lastTickAtMs === null ? "never" : `${formatAge(nowMs - lastTickAtMs)} ago`,
        String(accepted),
        String(Object.values(refused).reduce((sum, count) => sum + count, 0)),
      ]),
    ]),
    `${calls === 1 ? "1 call" : `${calls} calls`} in the last minute.`,
    ...(calls === 0 ? [] : callTables(traffic.endpoints, keys)),
  ].join("\n\n");
}

function callTables(endpoints: ServerStatus["traffic"]["endpoints"], keys: StatusData["keys"]): string[] {
  const counts = ({ calls, refused }: { calls: number; refused: number }) => [String(calls), String(refused)];
  const heading = ["CALLS", "4XX, 5XX"];
  return [
    table([["ENDPOINT", ...heading], ...endpoints.map((each) => [each.endpoint, ...counts(each)])]),
    table([["KEY", ...heading], ...keys.map((each) => [nameOf(each), ...counts(each)])]),
  ];
}

function nameOf({ label, account }: StatusData["keys"][number]): string {
  return label === null ? "a key that is gone" : `${label} (${account})`;
}
