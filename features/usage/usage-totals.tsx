import { outcomes } from "@/features/usage/usage-text";
import type { UsageCounts } from "@/lib/access/usage/usage-report";
import { formatCount } from "@/lib/text/number";

/** The sums of the period, which are the chart's legend as well. */
export function UsageTotals({ total }: { total: UsageCounts }) {
  return (
    <dl className="usage-totals">
      {outcomes.map(({ key, label, status }) => (
        <div key={key}>
          <dt className="usage-key" data-outcome={key}>
            {label} <span>{status}</span>
          </dt>
          <dd>{formatCount(total[key])}</dd>
        </div>
      ))}
      <div>
        <dt>Credits</dt>
        <dd>{formatCount(total.credits)}</dd>
      </div>
    </dl>
  );
}
