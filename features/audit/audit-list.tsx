import { type Column, Table } from "@/components/ui/table";
import type { AuditLine } from "@/features/audit/url";
import type { Facts } from "@/lib/access/audit/record";

const COLUMNS: readonly Column<AuditLine>[] = [
  {
    heading: "When (UTC)",
    isFigure: true,
    cellClassName: "whitespace-nowrap",
    cell: ({ atMs }) => new Date(atMs).toISOString().slice(0, 19).replace("T", " "),
  },
  { heading: "Event", cellClassName: "whitespace-nowrap", cell: ({ event }) => event },
  { heading: "Account or key", cell: ({ what }) => what },
  { heading: "By", className: "wide:whitespace-nowrap", cell: ({ by }) => by },
  { heading: "From", isFigure: true, cell: ({ address }) => address ?? "–" },
  {
    heading: "Change",
    className: "max-wide:col-span-full",
    cellClassName: "text-dim [overflow-wrap:anywhere] wide:w-1/2",
    cell: ({ before, after }) => formatChange(before, after),
  },
];

/** Events of the audit log, newest first. */
export function AuditList({ caption, lines }: { caption: string; lines: readonly AuditLine[] }) {
  return (
    <Table
      caption={caption}
      columns={COLUMNS}
      rows={lines}
      getKey={({ seq }) => seq}
      look="cards"
      hasRowHeadings={false}
      cellClassName="wide:h-8.5!"
    />
  );
}

function formatValue(value: Facts[string] | undefined): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "object") return value.length === 0 ? "none" : value.join(", ");
  return String(value);
}

function formatChange(before: Facts | null, after: Facts | null): string {
  if (after === null) return "–";
  const names = Object.keys(after).filter((name) => formatValue(before?.[name]) !== formatValue(after[name]));
  const changes = names.map((name) => {
    const was = before === null || !(name in before) ? "" : `${formatValue(before[name])} → `;
    return `${name.replaceAll("_", " ")}: ${was}${formatValue(after[name])}`;
  });
  return changes.join("; ") || "–";
}
