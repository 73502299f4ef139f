"use client";

import type { ReactNode } from "react";
import { EmptyState } from "@/components/ui/empty-state";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import type { UsageData, UsageTableLine, UsageView } from "@/features/usage/types";
import { toUsageHref } from "@/features/usage/url";
import { UsageChart } from "@/features/usage/usage-chart";
import { UsageTable } from "@/features/usage/usage-table";
import { formatWholeStep } from "@/features/usage/usage-text";
import { UsageTotals } from "@/features/usage/usage-totals";
import { HOUR_MS } from "@/lib/time/units";

/** The page's meters are refreshed as often. */
const REFRESH_MS = 2_000;

interface UsageFiguresProps {
  view: UsageView;
  initial: UsageData;
}

/** The calls of a period, refreshed every few seconds: their sums, over time, by key and by endpoint. */
export function UsageFigures({ view, initial }: UsageFiguresProps) {
  const { data = initial, isOffline } = useFresh<UsageData>(toUsageHref(view, "/usage/data"), REFRESH_MS, initial);
  const { answered, refused, limited, failed } = data.report.total;
  return (
    <>
      {isOffline && <Notice tone="error">The server is not responding. These figures may be out of date.</Notice>}
      {answered + refused + limited + failed > 0 ? (
        <Calls view={view} data={data} />
      ) : (
        <EmptyState title="No calls">
          {data.keys.length === 0
            ? "Calls appear here once you have created a key and a program uses it."
            : "There were no calls in this period. A call appears here a second after it was answered."}
        </EmptyState>
      )}
    </>
  );
}

function Calls({ view, data: { report, keys } }: { view: UsageView; data: UsageData }) {
  const { stepMs, total, steps } = report;
  const isHourly = stepMs === HOUR_MS;
  const labels = new Map(keys.map(({ id, label, last4 }) => [id, `${label} …${last4}`]));
  const stepLines = steps.map((step) => toLine(formatWholeStep(step.startMs, stepMs), step));
  const keyLines = report.keys.map(({ keyId, ...counts }) =>
    toLine(labels.get(keyId) ?? "a deleted key", counts, toUsageHref({ ...view, keyId })),
  );
  const endpointLines = report.endpoints.map(({ endpoint, ...counts }) =>
    toLine(endpoint, counts, toUsageHref({ ...view, endpoint })),
  );
  return (
    <>
      <UsageTotals total={total} />
      <figure className="pt-3 pb-2 pl-1">
        <UsageChart
          label={`Calls ${isHourly ? "hour by hour" : "day by day"}, by outcome`}
          stepMs={stepMs}
          steps={steps}
        />
      </figure>
      <p className="px-4 pt-1 pb-3 text-xs12 text-faint">
        Times are UTC; the last {isHourly ? "hour" : "day"} is not complete. Calls of the last second may be missing.
        Only answered calls cost credits and count towards the daily quota.
      </p>
      <details className="border-t border-line">
        <summary className="px-4 py-2.5 text-xs13 text-dim">Chart figures as a table</summary>
        <UsageTable caption="Calls over time" heading={isHourly ? "Hour" : "Day"} lines={stepLines.toReversed()} />
      </details>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 wide:grid-cols-2">
        <Part titleId="by-key" title="By key">
          <UsageTable caption="Calls by key" heading="Key" lines={keyLines} />
        </Part>
        <Part titleId="by-endpoint" title="By endpoint">
          <UsageTable caption="Calls by endpoint" heading="Endpoint" lines={endpointLines} />
        </Part>
      </div>
    </>
  );
}

function Part({ titleId, title, children }: { titleId: string; title: string; children: ReactNode }) {
  return (
    <section aria-labelledby={titleId}>
      <h2 id={titleId} className="px-4 pt-5 pb-2 font-medium">
        {title}
      </h2>
      {children}
    </section>
  );
}

function toLine(name: string, counts: UsageTableLine["counts"], href: string | null = null): UsageTableLine {
  return { name, href, counts };
}
