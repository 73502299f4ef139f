import { ChevronLeft, ChevronRight } from "lucide-react";
import dynamic from "next/dynamic";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { dateText, minuteText, secondText } from "@/features/ticks/time-text";
import type { TickSheet } from "@/features/ticks/types";
import { HOUR_MS } from "@/lib/time/units";

const TickChart = dynamic(() => import("@/features/ticks/tick-chart").then((module) => module.TickChart), {
  ssr: false,
  loading: () => <div className="history-plot" />,
});

const TABLE_ROWS = 20;

interface TickViewProps {
  sheet: TickSheet;
  /** Whether it is the hour that ends now, and moves on with it. */
  isLatest: boolean;
  /** Shows the hour that begins then; null for the one that ends now. */
  onHour: (hourMs: number | null) => void;
}

/** An hour of ticks: drawn, how complete it is, and the newest of them in numbers. */
export function TickView({ sheet, isLatest, onHour }: TickViewProps) {
  const { symbol, digits, fromMs, toMs, knownUntilMs, ticks, beganClosed } = sheet;
  const hourMs = Math.floor(fromMs / HOUR_MS) * HOUR_MS;
  return (
    <div className="history-sheet">
      <div className="history-facts">
        <Coverage sheet={sheet} />
        <div role="group" aria-label="Hour" className="history-hours">
          <Button size="sm" aria-label="The hour before" onClick={() => onHour(isLatest ? hourMs : hourMs - HOUR_MS)}>
            <ChevronLeft aria-hidden size={14} />
          </Button>
          <span className="numerals">
            {dateText(fromMs)}–{minuteText(toMs)}
          </span>
          <Button
            size="sm"
            aria-label="The hour after"
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
          {beganClosed ? "Its market was closed." : "Nothing was recorded then."}
        </EmptyState>
      ) : (
        <>
          <TickChart sheet={sheet} />
          <Gaps sheet={sheet} />
          <div role="region" aria-label={`Ticks of ${symbol}`} tabIndex={0} className="history-table-frame">
            <table className="history-table">
              <caption>Latest ticks of the hour, newest first; times are UTC</caption>
              <thead>
                <tr>
                  <th scope="col">Second</th>
                  <th scope="col">Bid</th>
                  <th scope="col">Ask</th>
                </tr>
              </thead>
              <tbody>
                {ticks
                  .slice(-TABLE_ROWS)
                  .reverse()
                  .map(([timeMs, bid, ask]) => (
                    <tr key={timeMs}>
                      <th scope="row">{secondText(timeMs)}</th>
                      <td>{bid.toFixed(digits)}</td>
                      <td>{ask.toFixed(digits)}</td>
                    </tr>
                  ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </div>
  );
}

/** How many seconds have a tick, of those that have passed. */
function Coverage({ sheet: { fromMs, knownUntilMs, ticks } }: { sheet: TickSheet }) {
  const seconds = Math.max(ticks.length, Math.round((knownUntilMs - fromMs) / 1000));
  const percent = seconds === 0 ? 0 : Math.round((100 * ticks.length) / seconds);
  return (
    <span>
      <span className="numerals text-ink">{ticks.length}</span> ticks in{" "}
      <span className="numerals text-ink">{seconds}</span> seconds ({percent} %)
    </span>
  );
}

function Gaps({ sheet: { gaps } }: { sheet: TickSheet }) {
  if (gaps.length === 0) return null;
  return (
    <p className="text-[0.8125rem] text-dim">
      Without a tick for a minute or more, shaded above:{" "}
      <span className="numerals">
        {gaps.map(([fromMs, toMs]) => `${secondText(fromMs)}–${secondText(toMs)}`).join(", ")}
      </span>
    </p>
  );
}
