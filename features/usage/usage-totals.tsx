import { countText, outcomes } from "@/features/usage/usage-text";
import type { UsageCounts } from "@/lib/access/usage/usage-report";

/** The sums of the period, which are the chart's legend as well. */
export function UsageTotals({ total }: { total: UsageCounts }) {
  return (
    <dl className="usage-totals">
      {outcomes.map(({ key, label, status }) => (
        <div key={key}>
          <dt className="usage-key" data-outcome={key}>
            {label} <span>{status}</span>
          </dt>
          <dd>{countText(total[key])}</dd>
        </div>
      ))}
      <div>
        <dt>Credits</dt>
        <dd>{countText(total.credits)}</dd>
      </div>
    </dl>
  );
}
