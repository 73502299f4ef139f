import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { buttonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { requireAccount } from "@/features/session/session";
import { readLimits } from "@/features/usage/limits-data";
import { LimitsNow } from "@/features/usage/limits-now";
import { keyedPaths, usageAsked } from "@/features/usage/query";
import { usageHref } from "@/features/usage/url";
import { UsageChart } from "@/features/usage/usage-chart";
import { UsageTable, type UsageTableLine } from "@/features/usage/usage-table";
import { wholeStepText } from "@/features/usage/usage-text";
import { UsageToolbar } from "@/features/usage/usage-toolbar";
import { UsageTotals } from "@/features/usage/usage-totals";
import { readUsage } from "@/lib/access/usage/usage-report";
import { getRuntime } from "@/lib/runtime";
import { HOUR_MS } from "@/lib/time/units";

import "@/features/usage/limits.css";
import "@/features/quotes/board.css";
import "@/features/usage/usage.css";

export const metadata: Metadata = { title: "Usage" };

type Params = Record<string, string | string[] | undefined>;

/** What the account's keys have called. A key of somebody else's is as unknown here as one that was never made. */
export default async function UsagePage({ searchParams }: { searchParams: Promise<Params> }) {
  const account = await requireAccount("/usage");
  const runtime = await getRuntime();
  const { database, keys, now } = runtime;
  const own = await keys.list(account.id);
  const asked = usageAsked(await searchParams, account.id, own);
  if (asked === null) notFound();
  const { view, query } = asked;
  const limits = await readLimits(runtime, account, own);
  const nowMs = now();
  const { stepMs, total, steps, endpoints, keys: byKey } = await readUsage(database.pool, query, nowMs);
  const isEmpty = total.answered + total.refused + total.limited + total.failed === 0;
  const labels = new Map(own.map(({ id, label, last4 }) => [id, `${label} …${last4}`]));
  const stepLines = steps.map((step): UsageTableLine => ({ ...lineOf(wholeStepText(step.startMs, stepMs), step) }));
  const keyLines = byKey.map(({ keyId, ...counts }) =>
    lineOf(labels.get(keyId) ?? "a key that is gone", counts, usageHref({ ...view, keyId })),
  );
  const endpointLines = endpoints.map(({ endpoint, ...counts }) =>
    lineOf(endpoint, counts, usageHref({ ...view, endpoint })),
  );
  return (
    <div className="usage">
      <PageHeader title="Usage">
        <a href={usageHref(view, "/usage/csv")} className={buttonClass("secondary", "sm")} download>
          Download CSV
        </a>
      </PageHeader>
      <section aria-labelledby="limits-now" className="usage-limits">
        <h2 id="limits-now" className="sr-only">
          Limits now
        </h2>
        <LimitsNow initial={limits} />
      </section>
      <UsageToolbar view={view} keys={own.map(({ id, label, last4 }) => ({ id, label, last4 }))} paths={keyedPaths} />
      {isEmpty ? (
        <EmptyState title="No calls">
          {own.length === 0
            ? "Calls are counted here once you have made a key and a program calls with it."
            : "Nothing was called in this time. A call is counted here a second after it was answered."}
        </EmptyState>
      ) : (
        <>
          <UsageTotals total={total} />
          <figure className="usage-figure">
            <UsageChart
              label={`Calls ${stepMs === HOUR_MS ? "hour by hour" : "day by day"}, by what became of them`}
              stepMs={stepMs}
              steps={steps}
            />
          </figure>
          <p className="usage-note">
            Times are UTC; the last {stepMs === HOUR_MS ? "hour" : "day"} is under way. Calls of the last second may be
            missing. Only answered calls cost credits and count for the day’s quota.
          </p>
          <details className="usage-steps">
            <summary>The chart’s figures</summary>
            <UsageTable
              caption="Calls over time"
              heading={stepMs === HOUR_MS ? "Hour" : "Day"}
              lines={stepLines.toReversed()}
            />
          </details>
          <div className="usage-parts">
            <section aria-labelledby="by-key">
              <h2 id="by-key">By key</h2>
              <UsageTable caption="Calls by key" heading="Key" lines={keyLines} />
            </section>
            <section aria-labelledby="by-endpoint">
              <h2 id="by-endpoint">By endpoint</h2>
              <UsageTable caption="Calls by endpoint" heading="Endpoint" lines={endpointLines} />
            </section>
          </div>
        </>
      )}
    </div>
  );
}

function lineOf(name: string, counts: UsageTableLine["counts"], href: string | null = null): UsageTableLine {
  return { name, href, counts };
}
