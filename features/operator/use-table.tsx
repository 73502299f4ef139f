import { type Column, Table } from "@/components/ui/table";
import type { EndpointUse } from "@/lib/access/accounts/account-search";
import { formatCount } from "@/lib/text/text";

const COLUMNS: readonly Column<EndpointUse>[] = [
  { heading: "Endpoint", cell: ({ endpoint }) => endpoint },
  { heading: "Answered", isNumeric: true, cell: ({ calls }) => formatCount(calls) },
  { heading: "Refused", isNumeric: true, cell: ({ refused }) => formatCount(refused) },
  { heading: "Credits", isNumeric: true, cell: ({ credits }) => formatCount(credits) },
];

/** Calls by endpoint, most called first. */
export function UseTable({ uses }: { uses: readonly EndpointUse[] }) {
  return (
    <Table
      caption="Calls by endpoint"
      columns={COLUMNS}
      rows={uses}
      getKey={({ endpoint }) => endpoint}
      look="text"
      className="w-full max-w-3xl"
      cellClassName="border-b border-line px-4 py-1.75"
    />
  );
}
