import { ChevronLeft, ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { ScrollRegion } from "@/components/ui/table";
import { BODY_CLASS, FACTS_CLASS, HISTORY_PLOT_CLASS } from "@/features/ticks/classes";
import { PriceTable } from "@/features/ticks/price-table";
import { formatDateTime, formatMinute, formatSecond } from "@/features/ticks/time-text";
import type { TickData } from "@/features/ticks/types";
import { HOUR_MS } from "@/lib/time/units";

const TickChart = dynamic(() => import("@/features/ticks/tick-chart").then((module) => module.TickChart), {
  ssr: false,
  loading: () => <div className={HISTORY_PLOT_CLASS} />,
});

const TABLE_ROWS = 20;

interface TickViewProps {
  data: TickData;
  /** Whether the hour ends now and moves with the clock. */
  isLatest: boolean;
  /** Shows the hour from this time on; null for the one that ends now. */
  onHour: (hourMs: number | null) => void;
}

/** An hour of ticks: how complete it is, a chart, and a table of the newest. */
export function TickView({ data, isLatest, onHour }: TickViewProps) {
  const { symbol, digits, fromMs, toMs, knownUntilMs, ticks, beganClosed } = data;
  const hourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  return (
    <div className={BODY_CLASS}>
      <div className={FACTS_CLASS}>
        <Coverage data={data} />
        <div role="group" aria-label="Hour" className="flex flex-wrap items-center gap-1.5">
          <Button size="sm" aria-label="Previous hour" onClick={() => onHour(isLatest ? hourMs : hourMs - HOUR_MS)}>
            <ChevronLeft aria-hidden size={14} />
          </Button>
          <span className="numerals">
            {formatDateTime(fromMs)}–{formatMinute(toMs)}
          </span>
          <Button
            size="sm"
            aria-label="Next hour"
            disabled={isLatest || toMs > knownUntilMs}
            onClick={() => onHour(hourMs + HOUR_MS)}
          >
            <ChevronRight aria-hidden size={14} />
          </Button>
          <Button size="sm" disabled={isLatest} onClick={() => onHour(null)}>
            Latest
          </Button>
        </div>
      </div>
      {ticks.length === 0 ? (
        <EmptyState title={`No tick of ${symbol} in this hour`}>
          {beganClosed ? "The market was closed." : "Nothing was recorded."}
        </EmptyState>
      ) : (
        <>
          <TickChart data={data} />
          <Gaps data={data} />
          <ScrollRegion label={`Ticks of ${symbol}`} className="max-w-[44rem]">
            <PriceTable
              caption="Latest ticks of the hour, newest first; times are UTC"
              columns={[
                { heading: "Second", cell: ([timeMs]) => formatSecond(timeMs) },
                { heading: "Bid", isNumeric: true, cell: ([, bid]) => bid.toFixed(digits) },
                { heading: "Ask", isNumeric: true, cell: ([, , ask]) => ask.toFixed(digits) },
              ]}
              rows={ticks.slice(-TABLE_ROWS).reverse()}
              getKey={([timeMs]) => timeMs}
            />
          </ScrollRegion>
        </>
      )}
    </div>
  );
}

/** The share of the past seconds that have a tick. */
function Coverage({ data: { fromMs, knownUntilMs, ticks } }: { data: TickData }) {
  const seconds = Math.max(ticks.length, Math.round((knownUntilMs - fromMs) / 1000));
  const percent = seconds === 0 ? 0 : Math.round((100 * ticks.length) / seconds);
  return (
    <span>
      <span className="numerals text-ink">{ticks.length}</span> ticks in{" "}
      <span className="numerals text-ink">{seconds}</span> seconds ({percent} %)
    </span>
  );
}

function Gaps({ data: { gaps } }: { data: TickData }) {
  if (gaps.length === 0) return null;
  return (
    <p className="text-xs13 text-dim">
      Gaps of a minute or more, shaded above:{" "}
      <span className="numerals">
        {gaps.map(([fromMs, toMs]) => `${formatSecond(fromMs)}–${formatSecond(toMs)}`).join(", ")}
      </span>
    </p>
  );
}
