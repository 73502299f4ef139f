import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ExampleTable } from "@/components/ui/example-table";
import { Link } from "@/components/ui/link";
import { formatPlansWith } from "@/lib/access/plans";

const COLUMNS = ["Time", "Currency", "Event", "Actual", "Forecast", "Previous", "EURUSD within 30 min"];
const ROWS = [
  ["13:30", "USD", "Consumer prices (YoY)", "3.1%", "2.9%", "3.0%", "−41 pips"],
  ["13:30", "USD", "Initial jobless claims", "228K", "230K", "226K", "+9 pips"],
  ["15:00", "USD", "Existing home sales", "4.04M", "4.00M", "3.96M", "−3 pips"],
];

/** In place of the calendar, for accounts whose plan lacks it. */
export function LockedCalendar() {
  return (
    <>
      <EmptyState
        title="Not part of your plan"
        action={
          <Link href="/plan" className={getButtonClass("secondary")}>
            Compare plans
          </Link>
        }
      >
        The economic calendar is included in {formatPlansWith("calendar")}, released figures in{" "}
        {formatPlansWith("actuals")}.
      </EmptyState>
      <ExampleTable
        caption="An example of the calendar: not current events. Each event has its history, its revisions and the moves of prices around past releases."
        columns={COLUMNS}
        rows={ROWS}
      />
    </>
  );
}
