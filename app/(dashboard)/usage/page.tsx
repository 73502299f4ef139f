import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { requireAccount } from "@/features/session/session";
import { KEYED_PATHS, readLimits, readUsageQuery } from "@/features/usage/data";
import { LimitsNow } from "@/features/usage/limits-now";
import type { UsageTableLine } from "@/features/usage/types";
import { usageHref } from "@/features/usage/url";
import { UsageChart } from "@/features/usage/usage-chart";
import { UsageTable } from "@/features/usage/usage-table";
import { formatWholeStep } from "@/features/usage/usage-text";
import { UsageToolbar } from "@/features/usage/usage-toolbar";
import { UsageTotals } from "@/features/usage/usage-totals";
import { readUsage } from "@/lib/access/usage/usage-report";
import { getRuntime } from "@/lib/runtime";
import { HOUR_MS } from "@/lib/time/units";

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
  const nowMs = now();
  const { stepMs, total, steps, endpoints, keys: byKey } = await readUsage(database.pool, query, nowMs);
  const isEmpty = total.answered + total.refused + total.limited + total.failed === 0;
  const labels = new Map(own.map(({ id, label, last4 }) => [id, `${label} …${last4}`]));
  const stepLines = steps.map((step): UsageTableLine => ({ ...toLine(formatWholeStep(step.startMs, stepMs), step) }));
  const keyLines = byKey.map(({ keyId, ...counts }) =>
    toLine(labels.get(keyId) ?? "a deleted key", counts, usageHref({ ...view, keyId })),
  );
  const endpointLines = endpoints.map(({ endpoint, ...counts }) =>
    toLine(endpoint, counts, usageHref({ ...view, endpoint })),
  );
  return (
    <>
      <PageHeader title="Usage">
        <a href={usageHref(view, "/usage/csv")} className={buttonClass("secondary", "sm")} download>
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
        <>
          <UsageTotals total={total} />
          <figure className="pt-3 pb-2 pl-1">
            <UsageChart
              label={`Calls ${stepMs === HOUR_MS ? "hour by hour" : "day by day"}, by outcome`}
              stepMs={stepMs}
              steps={steps}
            />
          </figure>
          <p className="px-4 pt-1 pb-3 text-xs12 text-faint">
            Times are UTC; the last {stepMs === HOUR_MS ? "hour" : "day"} is not over yet. Calls of the last second may
            be missing. Only answered calls cost credits and count towards the day’s quota.
          </p>
          <details className="border-t border-line">
            <summary className="px-4 py-2.5 text-xs13 text-dim">The chart’s figures</summary>
            <UsageTable
              caption="Calls over time"
              heading={stepMs === HOUR_MS ? "Hour" : "Day"}
              lines={stepLines.toReversed()}
            />
          </details>
          <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 wide:grid-cols-2">
            <section aria-labelledby="by-key">
              <h2 id="by-key" className="px-4 pt-5 pb-2 font-medium">
                By key
              </h2>
              <UsageTable caption="Calls by key" heading="Key" lines={keyLines} />
            </section>
            <section aria-labelledby="by-endpoint">
              <h2 id="by-endpoint" className="px-4 pt-5 pb-2 font-medium">
                By endpoint
              </h2>
              <UsageTable caption="Calls by endpoint" heading="Endpoint" lines={endpointLines} />
            </section>
          </div>
        </>
      )}
    </>
  );
}

function toLine(name: string, counts: UsageTableLine["counts"], href: string | null = null): UsageTableLine {
  return { name, href, counts };
}
