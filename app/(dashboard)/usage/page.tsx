import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { requireAccount } from "@/features/session/session";
import { KEYED_PATHS, readLimits, readUsageQuery } from "@/features/usage/data";
import { LimitsNow } from "@/features/usage/limits-now";
import { toUsageHref } from "@/features/usage/url";
import { UsageFigures } from "@/features/usage/usage-figures";
import { UsageToolbar } from "@/features/usage/usage-toolbar";
import { readUsage } from "@/lib/access/usage/usage-report";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Usage" };

type Params = Record<string, string | string[] | undefined>;

/** The calls of the account's keys. Another account's key is not found here. */
export default async function UsagePage({ searchParams }: { searchParams: Promise<Params> }) {
  const account = await requireAccount("/usage");
  const runtime = await getRuntime();
  const { database, keys, now } = runtime;
  const own = await keys.list(account.id);
  const usage = readUsageQuery(await searchParams, account.id, own);
  if (usage === null) notFound();
  const { view, query } = usage;
  const limits = await readLimits(runtime, account, own);
  const report = await readUsage(database.pool, query, now());
  const { answered, refused, limited, failed } = report.total;
  const isEmpty = answered + refused + limited + failed === 0;
  return (
    <>
      <PageHeader title="Usage">
        <a href={toUsageHref(view, "/usage/csv")} className={getButtonClass("secondary", "sm")} download>
          Download CSV
        </a>
      </PageHeader>
      <section aria-labelledby="limits-now" className="px-4 pt-1 pb-5">
        <h2 id="limits-now" className="sr-only">
          Limits now
        </h2>
        <LimitsNow initial={limits} />
      </section>
      <UsageToolbar view={view} keys={own.map(({ id, label, last4 }) => ({ id, label, last4 }))} paths={KEYED_PATHS} />
      {isEmpty ? (
        <EmptyState title="No calls">
          {own.length === 0
            ? "Calls appear here once you have created a key and a program uses it."
            : "There were no calls in this period. A call appears here a second after it was answered."}
        </EmptyState>
      ) : (
        <UsageFigures view={view} report={report} keys={own} />
      )}
    </>
  );
}
