import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import type { Traffic } from "@/lib/access/usage/traffic";
import type { BusyKey } from "@/lib/pages/status-data";
import { formatCount } from "@/lib/text/text";

/** The calls of the last minute, by endpoint and by key. */
export function BusyTables({ traffic, keys }: { traffic: Traffic; keys: readonly BusyKey[] }) {
  return (
    <div className="grid grid-cols-2 items-start max-lg:grid-cols-1">
      <CallTable
        caption="Endpoints, last minute"
        heading="Endpoint"
        rows={traffic.endpoints.map(({ endpoint, ...calls }) => ({ id: endpoint, name: endpoint, ...calls }))}
      />
      <CallTable
        caption="Busiest keys, last minute"
        heading="Key"
        rows={keys.map((key) => ({ ...key, name: <KeyName busyKey={key} /> }))}
        className="lg:border-l lg:border-line"
      />
    </div>
  );
}

function KeyName({ busyKey: { id, label, account } }: { busyKey: BusyKey }) {
  if (label === null) return "deleted key";
  return (
    <>
      <Link href={`/operator/keys/${id}`} className="underline-offset-4 hover:underline">
        {label}
      </Link>
      <span className="block text-2xs text-faint">{account}</span>
    </>
  );
}

interface CallRow {
  readonly id: string;
  readonly name: ReactNode;
  readonly calls: number;
  readonly refused: number;
}

interface CallTableProps {
  caption: string;
  heading: string;
  rows: readonly CallRow[];
  className?: string;
}

function CallTable({ caption, heading, rows, className = "" }: CallTableProps) {
  const columns: Column<CallRow>[] = [
    { heading, cell: ({ name }) => name, cellClassName: "[overflow-wrap:anywhere]" },
    { heading: "Calls", isNumeric: true, className: "w-24", cell: ({ calls }) => formatCount(calls) },
    { heading: "4xx, 5xx", isNumeric: true, className: "w-24", cell: ({ refused }) => formatCount(refused) },
  ];
  return (
    <Table
      look="text"
      caption={caption}
      isCaptionShown
      captionClassName="px-4 py-2 text-dim"
      className={`w-full text-xs13 tabular-nums ${className}`}
      cellClassName="border-t border-line px-4 py-2"
      headingClassName=""
      columns={columns}
      rows={rows}
      getKey={({ id }) => id}
      empty="No calls in the last minute"
    />
  );
}
