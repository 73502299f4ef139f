import { ChartCandlestick } from "lucide-react";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { ScrollRegion } from "@/components/ui/table";
import { BODY_CLASS, FACTS_CLASS } from "@/features/ticks/classes";
import { PriceTable } from "@/features/ticks/price-table";
import { formatDateTime } from "@/features/ticks/time-text";
import type { BarData } from "@/features/ticks/types";
import type { Timeframe } from "@/lib/market/timeframe";
import { formatCount } from "@/lib/text/text";

const TABLE_ROWS = 20;

/** The latest bars: their count, a table of the newest, and a link to their chart. */
export function BarView({ data }: { data: BarData }) {
  const { symbol, kind, digits, bars, isForming, expected } = data;
  if (bars.length === 0) {
    return (
      <EmptyState title={`No bar of ${symbol} yet`}>
        Bars are built from recorded prices. The first bar starts with the first price.
      </EmptyState>
    );
  }
  const latest = bars.slice(-TABLE_ROWS).reverse();
  return (
    <div className={BODY_CLASS}>
      <p className={FACTS_CLASS}>
        <span>
          {bars.length} {kind} bars
          {expected !== null && expected > bars.length && ` of ${expected} in market hours`}
        </span>
        <span>{isForming ? "The last bar is still open" : "All bars are closed"}</span>
      </p>
      <Link href={`/symbols/${symbol}?timeframe=${kind}`} className={`w-fit ${getButtonClass("secondary", "sm")}`}>
        <ChartCandlestick aria-hidden size={14} />
        Open the chart of {symbol}, {kind}
      </Link>
      <ScrollRegion label={`Latest bars of ${symbol}`} className="max-w-[44rem]">
        <PriceTable
          caption="Latest bars, newest first, of bid prices; times are UTC"
          columns={[
            { heading: "Opened", cell: ({ timeMs }) => <Opened timeMs={timeMs} timeframe={kind} /> },
            { heading: "Open", isNumeric: true, cell: ({ open }) => open.toFixed(digits) },
            { heading: "High", isNumeric: true, cell: ({ high }) => high.toFixed(digits) },
            { heading: "Low", isNumeric: true, cell: ({ low }) => low.toFixed(digits) },
            { heading: "Close", isNumeric: true, cell: ({ close }) => close.toFixed(digits) },
            {
              heading: "Updates",
              isNumeric: true,
              className: "max-md:hidden",
              cell: ({ volume }) => formatCount(volume),
            },
          ]}
          rows={latest}
          getKey={({ timeMs }) => timeMs}
        />
      </ScrollRegion>
    </div>
  );
}

/** When a bar opened. A phone has no space for both the year and the hour. */
function Opened({ timeMs, timeframe }: { timeMs: number; timeframe: Timeframe }) {
  const text = formatDateTime(timeMs);
  const isDaily = timeframe === "D1" || timeframe === "W1";
  return (
    <>
      <span className="max-md:hidden">{text}</span>
      <span className="md:hidden">{isDaily ? text.slice(0, 10) : text.slice(5)}</span>
    </>
  );
}
