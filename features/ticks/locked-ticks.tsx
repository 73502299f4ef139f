import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ExampleTable } from "@/components/ui/example-table";
import { Link } from "@/components/ui/link";
import { formatPlansWith } from "@/lib/access/plan-text";

const EXAMPLE_TICKS = {
  columns: ["Time, UTC", "Bid", "Ask", "Spread, pips", "Source"],
  rows: [
    ["13:30:02", "1.08512", "1.08519", "0.7", "broker-a"],
    ["13:30:01", "1.08497", "1.08511", "1.4", "broker-a"],
    ["13:30:00", "1.08548", "1.08566", "1.8", "broker-b"],
  ],
};

/** In place of the ticks on a plan without them. */
export function LockedTicks() {
  return (
    <>
      <EmptyState
        title="Ticks are not part of your plan"
        action={
          <Link href="/plan" className={getButtonClass("secondary")}>
            Compare plans
          </Link>
        }
      >
        Ticks are included in {formatPlansWith("ticks")}, here and in the API. Every plan includes bars.
      </EmptyState>
      <ExampleTable
        caption="An example of recorded ticks: not real prices. Each hour has a chart."
        {...EXAMPLE_TICKS}
      />
    </>
  );
}
