import { Fact } from "@/components/ui/fact";
import type { ServerStatus } from "@/lib/pages/server-status";
import type { StatusData } from "@/lib/pages/status-data";
import { durationText, sizeText } from "@/lib/text/size-text";

const number = new Intl.NumberFormat("en");

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
        {sizeText(residentBytes)}, of it objects {sizeText(heapBytes)}
      </Fact>
      <Fact name="Memory of the pages">{sizeText(sheet.pages.residentBytes)}</Fact>
      <Fact name="Running for">{durationText(uptimeS)}</Fact>
      <Fact name="Open streams">{number.format(sheet.streams)} watching the board</Fact>
      <Fact name="Database">
        {kind === "embedded" ? "embedded PostgreSQL" : "PostgreSQL"}
        {bytes !== null && `, ${sizeText(bytes)}`}
      </Fact>
      <Fact name="Seconds recorded">{number.format(recorded)}</Fact>
      <Fact name="Merged, repeated">
        {number.format(merged)}, {number.format(repeated)}
      </Fact>
      <Fact name="Too late, lost">
        {number.format(tooLate)}, {number.format(dropped)}
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
