import type { ServerStatus } from "@/lib/pages/server-status";

interface Props {
  status: ServerStatus;
  database: "embedded" | "postgresql";
  version: string;
  node: string;
}

const number = new Intl.NumberFormat("en");

/** Recording, the past and what all of it runs on. */
export function StatusFacts({ status, database, version, node }: Props) {
  const { recorded, merged, repeated, tooLate, dropped } = status.recorder;
  const facts: readonly (readonly [string, string])[] = [
    ["Seconds recorded", number.format(recorded)],
    ["Merged, repeated", `${number.format(merged)}, ${number.format(repeated)}`],
    ["Too late, lost", `${number.format(tooLate)}, ${number.format(dropped)}`],
    ["Filling the past", pastText(status.backfill)],
    ["Database", database === "embedded" ? "embedded PostgreSQL" : "PostgreSQL"],
    ["Version", `Spotline ${version}, Node.js ${node}`],
  ];
  return (
    <dl className="status-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
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
