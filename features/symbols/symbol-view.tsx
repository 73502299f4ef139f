"use client";

import { useRouter } from "next/navigation";
import { useCallback, useEffect, useMemo, useState } from "react";
import { noteOpened } from "@/components/shared/symbol-hits";
import { StarButton, SymbolSelect } from "@/components/shared/symbol-select";
import { EmptyState } from "@/components/ui/empty-state";
import { keepAt } from "@/components/ui/past-address";
import { ChartFrame } from "@/features/symbols/chart-frame";
import { ChartFoot, ChartNotes } from "@/features/symbols/chart-notes";
import { ChartToolbar } from "@/features/symbols/chart-toolbar";
import { IndicatorDialog } from "@/features/symbols/indicator-dialog";
import type { PanelData } from "@/features/symbols/read-panel";
import { SaveButtons } from "@/features/symbols/save-buttons";
import { SymbolPanel } from "@/features/symbols/symbol-panel";
import type { ChartData, IndicatorLook } from "@/features/symbols/types";
import { type ChartChoice, toSymbolHref } from "@/features/symbols/url";
import { useChart } from "@/features/symbols/use-chart";

export interface SymbolViewProps extends ChartData {
  choice: ChartChoice;
  /** Null where it could not be read with the page. */
  panel: PanelData | null;
}

/** The page of one symbol: its chart, and everything else about it beside the chart. */
export function SymbolView({ instrument, looks, listed, mayRead, choice: first, ...initial }: SymbolViewProps) {
  const { symbol } = instrument;
  const router = useRouter();
  const [choice, change] = useChartChoice(symbol, first);
  const { timeframe, indicators, compare } = choice;
  const chart = useChart({ symbol, choice, change, first, initial });
  const { live, bars, scene, setScene, shown, ...drawn } = chart;
  useEffect(() => noteOpened(instrument), [instrument]);
  const [isChoosing, setIsChoosing] = useState(false);
  const [added, setAdded] = useState<readonly IndicatorLook[]>([]);
  const chosenLooks = useMemo(
    () => indicators.flatMap((name) => [...looks, ...added].find((look) => look.name === name) ?? []),
    [indicators, looks, added],
  );

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_21rem] items-start border-t border-line max-wide:grid-cols-1">
      <section aria-label={`Chart of ${symbol}`} className="min-w-0 border-r border-line pt-2.5 max-wide:border-r-0">
        <ChartToolbar
          choice={choice}
          isEventsLocked={!mayRead.calendar}
          onChange={change}
          onIndicators={() => setIsChoosing(true)}
          select={
            <>
              <SymbolSelect
                value={symbol}
                title={instrument.name}
                onChange={(next) => router.push(keepAt(toSymbolHref(next, { ...choice, fromMs: null, toMs: null })))}
              />
              <StarButton hit={instrument} />
            </>
          }
        >
          <SaveButtons
            {...{ symbol, scene, bars, shown, compare }}
            indicators={mayRead.indicatorHistory ? indicators : []}
            onNewest={() => change({ fromMs: null, toMs: null })}
          />
        </ChartToolbar>
        <IndicatorDialog
          isOpen={isChoosing}
          looks={looks}
          chosen={indicators}
          isLocked={!mayRead.indicatorHistory}
          listed={listed}
          digits={instrument.digits}
          onChange={(names, more = []) => {
            setAdded((before) => [...before, ...more]);
            change({ indicators: names });
          }}
          onClose={() => setIsChoosing(false)}
        />
        <ChartNotes bars={bars} live={live} lacksIndicators={indicators.length > 0 && !mayRead.indicatorHistory} />
        {bars.loaded?.store.bars.length === 0 ? (
          <EmptyState title={`No ${timeframe} bar of ${symbol} yet`}>
            Bars are built from recorded prices. The first bar starts with the first price.
          </EmptyState>
        ) : (
          <ChartFrame
            {...{ instrument, bars, live, ...drawn }}
            looks={mayRead.indicatorHistory ? chosenLooks : []}
            layers={choice.layers}
            hasReleases={mayRead.calendar && choice.layers.includes("events")}
            style={choice.style}
            scale={choice.scale}
            brick={choice.brick}
            onTimeframe={(next) => change({ timeframe: next, fromMs: null, toMs: null })}
            onRemove={(name) => change({ indicators: indicators.filter((each) => each !== name) })}
            onScene={setScene}
          />
        )}
        <ChartFoot price={bars.loaded?.source.price ?? "bid"} />
      </section>
      <SymbolPanel {...{ instrument, timeframe, live }} initial={initial.panel} firstTimeframe={first.timeframe} />
    </div>
  );
}

/** The choices on the chart, and a function that changes some of them. The address follows. */
function useChartChoice(symbol: string, first: ChartChoice) {
  const [choice, setChoice] = useState(first);
  const change = useCallback((next: Partial<ChartChoice>) => setChoice((before) => ({ ...before, ...next })), []);
  useEffect(() => {
    const href = keepAt(toSymbolHref(symbol, choice));
    if (href !== location.pathname + location.search) window.history.replaceState(null, "", href);
  }, [symbol, choice]);
  return [choice, change] as const;
}
