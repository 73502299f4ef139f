import { Fact } from "@/components/ui/fact";
import type { ServerStatus } from "@/lib/pages/server-status";
import type { StatusData } from "@/lib/pages/status-data";
import { formatBytes } from "@/lib/text/bytes";
import { formatCount } from "@/lib/text/number";
import { formatUptime } from "@/lib/time/duration";
import { SECOND_MS } from "@/lib/time/units";

/** Recording, the past and what all of it runs on. */
export function StatusFacts({ status, sheet }: { status: ServerStatus; sheet: StatusData }) {
  const { recorded, merged, repeated, tooLate, dropped } = status.recorder;
  const { delayMs, residentBytes, heapBytes, uptimeS } = status.vitals;
  const { kind, bytes } = sheet.database;
  return (
    <dl className="status-facts">
      <Fact name="Event-loop delay, last seconds">
        p50 {delayMs.p50} ms, p99 {delayMs.p99} ms, max {delayMs.max} ms
      </Fact>
      <Fact name="Memory of the server">
        {formatBytes(residentBytes)}, of it objects {formatBytes(heapBytes)}
      </Fact>
      <Fact name="Memory of the pages">{formatBytes(sheet.pages.residentBytes)}</Fact>
      <Fact name="Running for">{formatUptime(uptimeS * SECOND_MS)}</Fact>
      <Fact name="Open streams">{formatCount(sheet.streams)} watching the board</Fact>
      <Fact name="Database">
        {kind === "embedded" ? "embedded PostgreSQL" : "PostgreSQL"}
        {bytes !== null && `, ${formatBytes(bytes)}`}
      </Fact>
      <Fact name="Seconds recorded">{formatCount(recorded)}</Fact>
      <Fact name="Merged, repeated">
        {formatCount(merged)}, {formatCount(repeated)}
      </Fact>
      <Fact name="Too late, lost">
        {formatCount(tooLate)}, {formatCount(dropped)}
      </Fact>
      <Fact name="Filling the past">{pastText(status.backfill)}</Fact>
    </dl>
  );
}

function pastText({ phase, done, total }: ServerStatus["backfill"]): string {
  if (phase === "off") return "This feed cannot tell the past";
  if (phase === "done") return "Complete";
  const symbols = `${done} of ${total} symbols`;
  if (phase === "filling") return symbols;
  return phase === "failed" ? `Failed after ${symbols}; the log says why` : `Stopped after ${symbols}`;
}
