import { Link } from "@/components/ui/link";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { formatTook, More, RequestStatus, RequestTime } from "@/features/usage/requests/request-cells";
import type { RequestsData } from "@/features/usage/requests/types";
import { toRequestHref } from "@/features/usage/requests/url";
import type { LoggedRequest } from "@/lib/access/requests/request-report";

interface RequestTableProps extends Pick<RequestsData, "rows" | "keys"> {
  /** The account in the links; null for one's own. */
  accountId: string | null;
}

/** Calls, newest first. Each leads to its details. */
export function RequestTable({ rows, keys, accountId }: RequestTableProps) {
  const names = new Map(keys.map(({ id, label, last4 }) => [id, `${label} …${last4}`]));
  const columns: readonly Column<LoggedRequest>[] = [
    {
      heading: "Time (UTC)",
      cell: ({ atMs, requestId }) => (
        <Link href={toRequestHref(requestId, accountId)} className="underline-offset-4 hover:underline">
          <RequestTime atMs={atMs} />
        </Link>
      ),
    },
    {
      heading: "Status",
      cell: (request) => (
        <>
          <RequestStatus request={request} />
          <More more={request.more} />
        </>
      ),
    },
    { heading: "Call", cell: (request) => <Called request={request} /> },
    {
      heading: "Key",
      className: "max-md:hidden",
      cellClassName: "max-w-56 overflow-hidden text-ellipsis whitespace-nowrap text-dim",
      cell: ({ keyId }) => names.get(keyId) ?? "a deleted key",
    },
    {
      heading: "From",
      className: "max-md:hidden",
      cellClassName: "numerals text-dim",
      cell: ({ address }) => address ?? "–",
    },
    {
      heading: "Took",
      tip: "How long the server took for the answer",
      className: "max-md:hidden",
      isNumeric: true,
      cellClassName: "font-mono whitespace-nowrap text-dim",
      cell: ({ ms }) => formatTook(ms),
    },
  ];
  return (
    <ScrollRegion label="Calls">
      <Table
        caption="Calls, newest first"
        columns={columns}
        rows={rows}
        getKey={({ id }) => id}
        look="text"
        rowProps={({ code }) => ({ className: "hover:bg-hover", "data-code": code ?? undefined })}
        cellClassName="border-b border-line py-1.75 pr-4 first:pl-4 max-md:pr-2.5 max-md:first:pl-3"
      />
    </ScrollRegion>
  );
}

function Called({ request: { method, endpoint, symbols } }: { request: LoggedRequest }) {
  return (
    <span className="[overflow-wrap:anywhere]">
      {method !== "GET" && <span className="mr-1.5 font-mono text-xs12 text-faint">{method}</span>}
      <span className="font-mono text-xs12">{endpoint}</span>
      {symbols !== null && <span className="ml-2 text-dim max-md:ml-0 max-md:block">{symbols}</span>}
    </span>
  );
}
