"use client";

import { Fragment, type ReactNode } from "react";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { type Column, ScrollRegion, Table } from "@/components/ui/table";
import { useFresh } from "@/components/ui/use-fresh";
import { formatTook, More, RequestStatus, RequestTime } from "@/features/usage/request-cells";
import type { RequestsData } from "@/features/usage/request-data";
import {
  isFiltered,
  REQUESTS_PATH,
  type RequestView,
  toRequestHref,
  toRequestsHref,
} from "@/features/usage/request-url";
import type { LoggedRequest, RefusalCount } from "@/lib/access/requests/request-report";
import { formatCount } from "@/lib/text/text";
import { MINUTE_MS } from "@/lib/time/units";

const REFRESH_MS = 3_000;
/** Older pages do not change. */
const SLOW_REFRESH_MS = MINUTE_MS;

interface RequestLogProps {
  view: RequestView;
  initial: RequestsData;
  /** The explanation of the chosen error code; null without one. */
  guide: ReactNode;
}

/** The calls of a view; new ones appear on the first page by themselves. */
export function RequestLog({ view, initial, guide }: RequestLogProps) {
  const { data = initial, isOffline } = useFresh<RequestsData>(
    toRequestsHref(view, `${REQUESTS_PATH}/data`),
    view.beforeId === null ? REFRESH_MS : SLOW_REFRESH_MS,
    initial,
  );
  const { rows, hasOlder, refusals } = data;
  const last = rows.at(-1);
  return (
    <>
      {isOffline && <Notice tone="error">The server is not responding. Newer calls are missing.</Notice>}
      <RefusalCounts refusals={refusals} view={view} />
      {guide !== null && (
        <section
          aria-label={`What ${view.code} means`}
          className="mx-4 mb-3 grid max-w-3xl gap-1 border-l-2 border-accent bg-panel px-3 py-2 text-xs13 max-md:mx-3"
        >
          {guide}
        </section>
      )}
      {last === undefined ? (
        <NoCalls view={view} hasKeys={data.keys.length > 0} />
      ) : (
        <RequestTable rows={rows} keys={data.keys} accountId={view.accountId} />
      )}
      <nav aria-label="Pages" className="flex items-center gap-3 px-4 py-3 text-xs13 empty:hidden">
        {view.beforeId !== null && (
          <Link href={toRequestsHref({ ...view, beforeId: null })} className={getButtonClass("secondary", "sm")}>
            Newest
          </Link>
        )}
        {last !== undefined && hasOlder && (
          <Link href={toRequestsHref({ ...view, beforeId: last.id })} className={getButtonClass("secondary", "sm")}>
            Older
          </Link>
        )}
        {last !== undefined && <CallCount rows={rows} />}
      </nav>
    </>
  );
}

function CallCount({ rows }: Pick<RequestsData, "rows">) {
  const calls = rows.reduce((sum, { more }) => sum + 1 + more, 0);
  const listed = `${formatCount(rows.length)} ${rows.length === 1 ? "row" : "rows"}`;
  return (
    <span className="text-dim">{calls === rows.length ? listed : `${listed} for ${formatCount(calls)} calls`}</span>
  );
}

function NoCalls({ view, hasKeys }: { view: RequestView; hasKeys: boolean }) {
  if (isFiltered(view) || view.beforeId !== null) {
    const everything = { ...view, keyId: null, endpoint: null, outcome: null, code: null, text: "", beforeId: null };
    return (
      <EmptyState
        art="search"
        title="No call matches"
        action={
          <Link href={toRequestsHref(everything)} className={getButtonClass("secondary")}>
            Show all calls
          </Link>
        }
      >
        A call appears here about a second after it was answered. A request id is not found if its call is one of those
        that are only counted on the row of another.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      art="calls"
      title="No calls in the last week"
      action={
        <Link href={hasKeys ? "/docs" : "/keys/new"} className={getButtonClass(hasKeys ? "secondary" : "primary")}>
          {hasKeys ? "Documentation" : "Create key"}
        </Link>
      }
    >
      {hasKeys
        ? "A call with a key appears here about a second after it was answered."
        : "Calls appear here once there is a key and a program uses it."}
    </EmptyState>
  );
}

interface RequestTableProps extends Pick<RequestsData, "rows" | "keys"> {
  /** The account in the links; null for one's own. */
  accountId: string | null;
}

/** Calls, newest first. Each leads to its details. */
function RequestTable({ rows, keys, accountId }: RequestTableProps) {
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
      isFigure: true,
      cellClassName: "text-dim",
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
    <span>
      {method !== "GET" && <span className="mr-1.5 font-mono text-xs12 text-faint max-md:block">{method}</span>}
      <span className="font-mono text-xs12">
        {endpoint.split("/").map((part, index) => (
          <Fragment key={index}>
            {index > 0 && (
              <>
                /<wbr />
              </>
            )}
            {part}
          </Fragment>
        ))}
      </span>
      {symbols !== null && <span className="ml-2 text-dim max-md:ml-0 max-md:block">{symbols}</span>}
    </span>
  );
}

interface RefusalCountsProps {
  refusals: readonly RefusalCount[];
  view: RequestView;
}

/** The reasons of all refusals in the log. Each leads to its calls. */
function RefusalCounts({ refusals, view }: RefusalCountsProps) {
  if (refusals.length === 0) return null;
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-4 pb-3 text-xs13 max-md:px-3">
      <h2 className="text-dim">Reasons of refusals</h2>
      <ul className="flex flex-wrap gap-1.5">
        {refusals.map(({ code, calls }) => {
          const isChosen = view.code === code;
          const href = toRequestsHref({ ...view, code: isChosen ? null : code, outcome: null, beforeId: null });
          return (
            <li key={code}>
              <Link
                href={href}
                scroll={false}
                aria-current={isChosen ? "true" : undefined}
                className={`inline-flex h-7 items-center gap-2 rounded-md border px-2 font-mono text-xs12 hover:border-edge max-md:h-9 ${isChosen ? "border-accent-ink text-ink" : "border-line text-dim"}`}
              >
                {code} <b className="font-medium text-ink tabular-nums">{formatCount(calls)}</b>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
