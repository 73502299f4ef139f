import type { ServerStatus } from "@/lib/pages/server-status";
import { formatCount } from "@/lib/text/number";
import { formatAge } from "@/lib/time/duration";

/** What has become of each source's ticks since the server started. */
export function FeedTable({ feeds, nowMs }: { feeds: ServerStatus["feeds"]; nowMs: number }) {
  return (
    <div className="overflow-x-auto" role="region" aria-label="Sources" tabIndex={0}>
      <table className="status-table">
        <caption>Sources</caption>
        <thead>
          <tr>
            <th scope="col">Source</th>
            <th scope="col">Connection</th>
            <th scope="col">Last tick</th>
            <th scope="col">Accepted</th>
            <th scope="col">Refused</th>
          </tr>
        </thead>
        <tbody>
          {feeds.map(({ source, status, lastTickAtMs, accepted, refused }) => (
            <tr key={source}>
              <th scope="row">{source}</th>
              <td>{status ?? "nothing heard"}</td>
              <td>{lastTickAtMs === null ? "never" : `${formatAge(nowMs - lastTickAtMs)} ago`}</td>
              <td>{formatCount(accepted)}</td>
              <td>{refusedText(refused)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function refusedText(refused: ServerStatus["feeds"][number]["refused"]): string {
  const reasons = Object.entries(refused).filter(([, count]) => count > 0);
  if (reasons.length === 0) return "none";
  return reasons.map(([reason, count]) => `${formatCount(count)} ${reason.replaceAll("_", " ")}`).join(", ");
}
