"use client";

import type { ReactNode } from "react";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { RefusalCounts } from "@/features/usage/requests/refusal-counts";
import { RequestTable } from "@/features/usage/requests/request-table";
import type { RequestsData, RequestView } from "@/features/usage/requests/types";
import { isFiltered, REQUESTS_PATH, toRequestsHref } from "@/features/usage/requests/url";
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
    <EmptyState title="No calls in the last week">
      {hasKeys
        ? "A call with a key appears here about a second after it was answered."
        : "Calls appear here once there is a key and a program uses it."}
    </EmptyState>
  );
}
