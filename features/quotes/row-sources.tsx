"use client";

import dynamic from "next/dynamic";
import { StateMark } from "@/components/shared/state-mark";
import { Skeleton } from "@/components/ui/skeleton";
import { useFresh } from "@/components/ui/use-fresh";
import type { BoardInstrument } from "@/features/quotes/board-row";
import type { SourceBoard } from "@/features/quotes/source-board";
import { formatAge } from "@/lib/time/duration";

/** Fetched with the first row that is opened: the board itself needs no chart library. */
const PriceChart = dynamic(() => import("@/features/quotes/price-chart").then((module) => module.PriceChart), {
  ssr: false,
  loading: () => <div className="price-chart" />,
});

const REFRESH_MS = 1_000;

/** What every source says of one symbol. Asked for only while its row is open. */
export function RowSources({ instrument }: { instrument: BoardInstrument }) {
  const { symbol, digits } = instrument;
  const url = `/quotes/${encodeURIComponent(symbol)}/sources`;
  const { data, isOffline } = useFresh<SourceBoard>(url, REFRESH_MS);
  if (data === undefined) {
    return isOffline ? (
      <p role="alert" className="px-4 py-3 text-down">
        The sources of {symbol} could not be read. Trying again.
      </p>
    ) : (
      <div className="grid gap-2 px-4 py-3 md:pl-16">
        <span className="sr-only">Loading the sources of {symbol}</span>
        <Skeleton className="h-4 w-80 max-w-full" />
        <Skeleton className="h-4 w-80 max-w-full" />
      </div>
    );
  }
  if (data.sources.length === 0)
    return <p className="px-4 py-3 text-dim md:pl-16">No source has quoted {symbol} yet.</p>;
  const { best, served, nowMs } = data;
  return (
    <div className="row-detail" data-offline={isOffline || undefined}>
      <div role="region" aria-label={`Sources of ${symbol}`} tabIndex={0} className="overflow-x-auto -outline-offset-2">
        <table className="source-table">
          <caption className="sr-only">Quotes of {symbol} by source</caption>
          <thead>
            <tr>
              <th scope="col">Source</th>
              <th scope="col">Bid</th>
              <th scope="col">Ask</th>
              <th scope="col">Spread</th>
              <th scope="col">Age</th>
              <th scope="col">State</th>
            </tr>
          </thead>
          <tbody>
            {data.sources.map((line) => (
              <tr key={line.source}>
                <th scope="row">
                  {line.source}
                  {line.source === served && <span className="served-tag">served</span>}
                </th>
                <td data-best={best?.bid === line.bid || undefined}>{line.bid.toFixed(digits)}</td>
                <td data-best={best?.ask === line.ask || undefined}>{line.ask.toFixed(digits)}</td>
                <td>{line.spreadPips.toFixed(1)}</td>
                <td>{formatAge(nowMs - line.timeMs)}</td>
                <td>
                  <StateMark state={line.state} />
                </td>
              </tr>
            ))}
          </tbody>
          {best && (
            <tfoot>
              <tr>
                <th scope="row">Best of live sources</th>
                <td>{best.bid.toFixed(digits)}</td>
                <td>{best.ask.toFixed(digits)}</td>
                <td>{best.spreadPips.toFixed(1)}</td>
                <td colSpan={2}>{best.spreadPips < 0 && <span className="text-warn">crossed</span>}</td>
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      <PriceChart instrument={instrument} />
    </div>
  );
}
