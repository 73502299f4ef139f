"use client";

import { BarAge } from "@/components/shared/bar-age";
import { PanelLoading, PanelMessage, PanelStale } from "@/components/shared/panel";
import { StrengthBar } from "@/components/shared/strength-bar";
import { Figure } from "@/components/ui/figure";
import { useFresh } from "@/components/ui/use-fresh";
import type { StrengthData } from "@/features/strength/data";
import { Change, REFRESH_MS } from "@/features/strength/strength-view";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";

interface StrengthPanelProps {
  timeframe: HeatmapTimeframe;
  /** Called with the pair that a currency leads to. */
  onSymbol: (symbol: string) => void;
}

/** The ranked currencies in a panel of a screen. A currency leads to its pair with the most distant one. */
export function StrengthPanel({ timeframe, onSymbol }: StrengthPanelProps) {
  const url = `/strength/data?${new URLSearchParams({ timeframe })}`;
  const { data, isOffline } = useFresh<StrengthData>(url, REFRESH_MS);
  if (data === undefined) {
    return isOffline ? (
      <PanelMessage title="Strength could not be loaded">Trying again.</PanelMessage>
    ) : (
      <PanelLoading what="currency strength" />
    );
  }
  const { lines, timeMs, state, widestPair, heat } = data;
  if (lines === null) {
    return (
      <PanelMessage title={`Too few ${timeframe} bars yet`}>
        Strength needs thirteen closed bars of every currency.
      </PanelMessage>
    );
  }
  const cells = heat.find((each) => each.timeframe === timeframe)?.cells;
  return (
    <>
      {isOffline && <PanelStale />}
      <table className="w-full text-xs13">
        <caption className="sr-only">Currencies on {timeframe}, strongest first</caption>
        <thead className="sr-only">
          <tr>
            <th scope="col">Currency</th>
            <th scope="col">Bar</th>
            <th scope="col">Strength</th>
            <th scope="col">Change</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => {
            const symbol = cells?.[line.currency]?.symbol ?? "";
            return (
              <tr key={line.currency} className="h-7.5 hover:bg-hover">
                <th scope="row" className="w-14 pl-3 text-left font-medium">
                  <button
                    type="button"
                    title={symbol === "" ? undefined : `Show ${symbol}`}
                    disabled={symbol === ""}
                    onClick={() => onSymbol(symbol)}
                    className="w-full text-left underline-offset-4 hover:underline"
                  >
                    <Figure>{line.currency}</Figure>
                  </button>
                </th>
                <td>
                  <StrengthBar strength={line.strength} />
                </td>
                <Figure as="td" className="w-14 text-right">
                  {line.strength.toFixed(2)}
                </Figure>
                <td className="w-20 pr-3 text-right font-mono text-xs12 text-dim">
                  <Change line={line} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="flex flex-wrap items-baseline gap-x-4 px-3 py-1.5 text-xs12 text-dim">
        {widestPair !== null && (
          <button type="button" onClick={() => onSymbol(widestPair.symbol)} className="hover:underline">
            <span className={widestPair.side === "buy" ? "text-up" : "text-down"}>
              {widestPair.side === "buy" ? "Buy" : "Sell"}
            </span>{" "}
            <span translate="no">{widestPair.symbol}</span>
          </button>
        )}
        {timeMs !== null && state !== "current" && <BarAge state={state} closedMs={timeMs} />}
      </p>
    </>
  );
}
