import type { Facts } from "@/lib/access/audit/audit-chain";

/** One event as people read it. */
export interface AuditLine {
  readonly seq: number;
  readonly atMs: number;
  readonly event: string;
  /** "you", an e-mail address, "operator CLI". */
  readonly by: string;
  readonly address: string | null;
  /** The account or key it was done to. */
  readonly what: string;
  readonly before: Facts | null;
  readonly after: Facts | null;
}

/** Who did what, newest first. */
export function AuditList({ caption, lines }: { caption: string; lines: readonly AuditLine[] }) {
  return (
    <div className="overflow-x-auto" tabIndex={0} role="region" aria-label={caption}>
      <table className="audit-table">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">When (UTC)</th>
            <th scope="col">Event</th>
            <th scope="col">What</th>
            <th scope="col">By</th>
            <th scope="col">From</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ seq, atMs, event, by, address, what, before, after }) => (
            <tr key={seq}>
              <td className="numerals whitespace-nowrap">
                {new Date(atMs).toISOString().slice(0, 19).replace("T", " ")}
              </td>
              <td className="whitespace-nowrap">{event}</td>
              <td>{what}</td>
              <td>{by}</td>
              <td className="numerals">{address ?? "–"}</td>
              <td className="text-dim">{changeOf(before, after)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function wordOf(value: Facts[string] | undefined): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "object") return value.length === 0 ? "none" : value.join(", ");
  return String(value);
}

function changeOf(before: Facts | null, after: Facts | null): string {
  if (after === null) return "–";
  const changes = Object.keys(after).filter((name) => wordOf(before?.[name]) !== wordOf(after[name]));
  const words = changes.map((name) => {
    const was = before === null || !(name in before) ? "" : `${wordOf(before[name])} → `;
    return `${name.replaceAll("_", " ")}: ${was}${wordOf(after[name])}`;
  });
  return words.join("; ") || "–";
}
