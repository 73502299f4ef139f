import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { ApiCallButton } from "@/components/shared/api-call-button";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { toAddress } from "@/features/session/address";
import { definePage } from "@/features/session/page-parts";
import { requireAccount } from "@/features/session/session";
import { listKeyedPaths, readLimits, readUsageData, readUsageQuery } from "@/features/usage/data";
import { LimitsNow } from "@/features/usage/limits-now";
import { toUsageHref } from "@/features/usage/url";
import { UsageFigures } from "@/features/usage/usage-figures";
import { UsageTabs } from "@/features/usage/usage-tabs";
import { UsageToolbar } from "@/features/usage/usage-toolbar";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Usage" };

type Params = Record<string, string | string[] | undefined>;

/** The calls of the account's keys. Another account's key is not found here. */
export default definePage("Usage", async function UsagePage({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const account = await requireAccount(toAddress("/usage", params));
  const runtime = await getRuntime();
  const own = await runtime.keys.list(account.id);
  const usage = readUsageQuery(runtime, params, account.id, own);
  if (usage === null) notFound();
  const { view, query } = usage;
  const limits = await readLimits(runtime, account, own);
  const data = await readUsageData(runtime, query, own);
  return (
    <>
      <PageHeader title="Usage">
        <ApiCallButton of="Usage today" requests={[{ path: "/v1/monitor/account" }]} />
        <a href={toUsageHref(view, "/usage/csv")} className={getButtonClass("secondary", "sm")} download>
          Download CSV
        </a>
      </PageHeader>
      <UsageTabs current="totals" />
      <section aria-labelledby="limits-now" className="px-4 pt-1 pb-5">
        <h2 id="limits-now" className="sr-only">
          Limits now
        </h2>
        <LimitsNow initial={limits} />
      </section>
      <UsageToolbar view={view} keys={data.keys} paths={listKeyedPaths(runtime)} />
      <UsageFigures key={toUsageHref(view)} view={view} initial={data} />
    </>
  );
});
