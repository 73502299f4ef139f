import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { toAddress } from "@/features/session/address";
import { definePage } from "@/features/session/page-parts";
import { requireAccount } from "@/features/session/session";
import { listKeyedPaths } from "@/features/usage/data";
import { findLog, readRequests } from "@/features/usage/request-data";
import { LogNote, RefusalGuide } from "@/features/usage/request-detail";
import { RequestLog } from "@/features/usage/request-log";
import { RequestToolbar } from "@/features/usage/request-toolbar";
import { REQUESTS_PATH, toRequestsHref } from "@/features/usage/request-url";
import { UsageTabs } from "@/features/usage/usage-tabs";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Request log" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The calls of an account one by one. Operators may name another account. */
export default definePage("Request log", async function RequestsPage({ searchParams }: Props) {
  const params = await searchParams;
  const visitor = await requireAccount(toAddress(REQUESTS_PATH, params));
  const runtime = await getRuntime();
  const log = await findLog(runtime, params, visitor);
  if (log === null) notFound();
  const { view, owner } = log;
  const data = await readRequests(runtime, log);
  return (
    <>
      <PageHeader title="Request log">
        {view.accountId !== null && (
          <Link
            href={`/operator/accounts/${owner.id}`}
            className="text-accent-ink underline underline-offset-4 [overflow-wrap:anywhere]"
          >
            {owner.email}
          </Link>
        )}
        <a href={toRequestsHref(view, `${REQUESTS_PATH}/csv`)} className={getButtonClass("secondary", "sm")} download>
          Download CSV
        </a>
      </PageHeader>
      {view.accountId === null && <UsageTabs current="requests" />}
      <RequestToolbar view={view} keys={data.keys} paths={listKeyedPaths(runtime)} />
      <RequestLog
        key={toRequestsHref(view)}
        view={view}
        initial={data}
        guide={view.code === null ? null : <RefusalGuide code={view.code} />}
      />
      <LogNote />
    </>
  );
});
