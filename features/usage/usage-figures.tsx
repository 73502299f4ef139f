import type { ReactNode } from "react";
import type { UsageTableLine, UsageView } from "@/features/usage/types";
import { toUsageHref } from "@/features/usage/url";
import { UsageChart } from "@/features/usage/usage-chart";
import { UsageTable } from "@/features/usage/usage-table";
import { formatWholeStep } from "@/features/usage/usage-text";
import { UsageTotals } from "@/features/usage/usage-totals";
import type { UsageReport } from "@/lib/access/usage/usage-report";
import { HOUR_MS } from "@/lib/time/units";

interface UsageFiguresProps {
  view: UsageView;
  report: UsageReport;
  keys: readonly { readonly id: string; readonly label: string; readonly last4: string }[];
}

/** The calls of a period: their sums, over time, by key and by endpoint. */
export function UsageFigures({ view, report, keys }: UsageFiguresProps) {
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
