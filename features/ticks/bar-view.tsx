import dynamic from "next/dynamic";
import { EmptyState } from "@/components/ui/empty-state";
import { dateText } from "@/features/ticks/time-text";
import type { BarSheet } from "@/features/ticks/types";

const CandleChart = dynamic(() => import("@/features/ticks/candle-chart").then((module) => module.CandleChart), {
  ssr: false,
  loading: () => <div className="history-plot" />,
});

const TABLE_ROWS = 20;

/** The latest bars: drawn, counted, and the newest of them in numbers. */
export function BarView({ sheet }: { sheet: BarSheet }) {
  const { symbol, kind, digits, bars, isForming, expected } = sheet;
  if (bars.length === 0) {
    return (
      <EmptyState title={`No bar of ${symbol} yet`}>
        Bars are made of the prices that are recorded. The first one begins with the first price.
      </EmptyState>
    );
  }
  const latest = bars.slice(-TABLE_ROWS).reverse();
  return (
    <div className="history-sheet">
      <p className="history-facts">
        <span>
          {bars.length} bars of {kind}
          {expected !== null && expected > bars.length && `, of ${expected} in the market’s hours`}
        </span>
        <span>{isForming ? "The last one is still filling" : "All of them are closed"}</span>
      </p>
      <CandleChart sheet={sheet} />
      <div role="region" aria-label={`Latest bars of ${symbol}`} tabIndex={0} className="history-table-frame">
        <table className="history-table">
          <caption>Latest bars, newest first, of bid prices; times are UTC</caption>
          <thead>
            <tr>
              <th scope="col">Opened</th>
              {["Open", "High", "Low", "Close", "Updates"].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {latest.map(({ timeMs, open, high, low, close, volume }) => (
              <tr key={timeMs}>
                <th scope="row">{dateText(timeMs)}</th>
                <td>{open.toFixed(digits)}</td>
                <td>{high.toFixed(digits)}</td>
                <td>{low.toFixed(digits)}</td>
                <td>{close.toFixed(digits)}</td>
                <td>{volume}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  );
}
