import { Fact } from "@/components/ui/facts";
import { listProblems } from "@/lib/api/service/health-check";
import type { StatusData } from "@/lib/pages/status-data";
import type { ServerStatus } from "@/lib/readers/messages";
import { formatBytes, formatCount } from "@/lib/text/text";
import { formatUptime } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

/** Facts of the processes, the database and the recorder. */
export function StatusFacts({ status, data }: { status: ServerStatus; data: StatusData }) {
  const { recorded, merged, repeated, tooLate, dropped, standbyFor } = status.recorder;
  const { delayMs, residentBytes, heapBytes, uptimeS } = status.vitals;
  const { kind, bytes } = data.database;
  return (
    <dl className="grid grid-cols-[repeat(auto-fill,minmax(14rem,1fr))] gap-4 border-t border-line p-4 text-xs13 tabular-nums max-md:grid-cols-2">
      <Fact name="Health">{[status.health.status, ...listProblems(status.health.components)].join("; ")}</Fact>
      <Fact name="Event-loop delay, last seconds">
        p50 {delayMs.p50} ms, p99 {delayMs.p99} ms, max {delayMs.max} ms
      </Fact>
      <Fact name="Memory, server">
        {formatBytes(residentBytes)}, heap {formatBytes(heapBytes)}
      </Fact>
      {data.pages !== null && <Fact name="Memory, pages">{formatBytes(data.pages.residentBytes)}</Fact>}
      <Fact name="Uptime">{formatUptime(uptimeS * SECOND_MS)}</Fact>
      <Fact name="Open board streams">{formatCount(data.streams)}</Fact>
      <Fact name="Database">
        {kind === "embedded" ? "embedded PostgreSQL" : "PostgreSQL"}
        {bytes !== null && `, ${formatBytes(bytes)}`}
      </Fact>
      <Fact name="Recorder">{standbyFor === null ? "This server" : `Standby for ${standbyFor}`}</Fact>
      <Fact name="Seconds recorded">{formatCount(recorded)}</Fact>
      <Fact name="Updates merged, repeated">
        {formatCount(merged)}, {formatCount(repeated)}
      </Fact>
      <Fact name="Too late, dropped">
        {formatCount(tooLate)}, {formatCount(dropped)}
      </Fact>
      <Fact name="Backfill">{standbyFor === null ? formatBackfill(status.backfill) : "Done by the recorder"}</Fact>
    </dl>
  );
}

function formatBackfill({ phase, done, total }: ServerStatus["backfill"]): string {
  if (phase === "off") return "This feed has no history";
  if (phase === "done") return "Complete";
  const symbols = `${done} of ${total} symbols`;
  if (phase === "filling") return symbols;
  return phase === "failed" ? `Failed after ${symbols}, see the log` : `Stopped after ${symbols}`;
}
