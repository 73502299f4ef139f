import { Stat } from "@/components/ui/facts";
import { OUTCOMES, OutcomeSwatch } from "@/features/usage/usage-text";
import type { UsageCounts } from "@/lib/access/usage/usage-report";
import { formatCount } from "@/lib/text/text";

/** The sums of the period, which are also the chart's legend. */
export function UsageTotals({ total }: { total: UsageCounts }) {
  return (
    <dl className="flex flex-wrap gap-x-10 gap-y-3 border-y border-line px-4 py-3 max-md:grid max-md:grid-cols-2 max-md:gap-x-4 max-md:gap-y-2.5">
      {OUTCOMES.map(({ key, label, status }) => (
        <Stat
          key={key}
          name={
            <>
              <OutcomeSwatch outcome={key} />
              {label} <span className="text-faint">{status}</span>
            </>
          }
        >
          {formatCount(total[key])}
        </Stat>
      ))}
      <Stat name="Credits">{formatCount(total.credits)}</Stat>
    </dl>
  );
}
