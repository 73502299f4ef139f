"use client";

import { useRouter } from "next/navigation";
import { useCallback, useContext, useEffect, useMemo, useState } from "react";
import { followTopic } from "@/components/shared/live/follow-topic";
import { useMarketClock } from "@/components/shared/market-clock";
import { PageOwnerContext } from "@/components/shared/page-owner";
import { SymbolSelect } from "@/components/shared/symbol-select";
import { EmptyState } from "@/components/ui/empty-state";
import { useShownAt } from "@/components/ui/past";
import { keepAt } from "@/components/ui/past-address";
import { ChartFrame } from "@/features/symbols/chart-frame";
import { ChartFoot, ChartNotes } from "@/features/symbols/chart-notes";
import { ChartToolbar } from "@/features/symbols/chart-toolbar";
import { IndicatorDialog } from "@/features/symbols/indicator-dialog";
import { createLiveStore, type LiveStore } from "@/features/symbols/live-store";
import type { PanelData } from "@/features/symbols/read-panel";
import { SaveButtons } from "@/features/symbols/save-buttons";
import type { Scene } from "@/features/symbols/scene";
import { SymbolPanel } from "@/features/symbols/symbol-panel";
import type { BarPage, IndicatorLook, LiveSymbol, SymbolInstrument } from "@/features/symbols/types";
import { type ChartChoice, toSymbolHref } from "@/features/symbols/url";
import { type Bars, useBars } from "@/features/symbols/use-bars";
import { useMarks } from "@/features/symbols/use-marks";
import type { ViewRange } from "@/features/symbols/view-range";
import type { Timeframe } from "@/lib/market/timeframe";

export interface SymbolViewProps {
  instrument: SymbolInstrument;
  looks: readonly IndicatorLook[];
  /** Which data the account's plan includes. */
  mayRead: { readonly indicatorHistory: boolean; readonly calendar: boolean };
  choice: ChartChoice;
  bars: BarPage;
  live: LiveSymbol;
  panel: PanelData;
}

/** The page of one symbol: its chart, and everything else about it beside the chart. */
export function SymbolView({ instrument, looks, mayRead, choice: first, ...initial }: SymbolViewProps) {
  const { symbol } = instrument;
  const clock = useMarketClock();
  const router = useRouter();
  const [choice, change] = useChartChoice(symbol, first);
  const [live] = useState(() => createLiveStore(initial.live));
  const { timeframe, indicators, compare } = choice;
  const [scene, setScene] = useState<Scene | null>(null);
  const [shown, setShown] = useState<ViewRange | null>(null);
  const [isChoosing, setIsChoosing] = useState(false);
  const rendered = useMemo(
    () => ({ source: { symbol, timeframe: first.timeframe, indicators: first.indicators }, page: initial.bars }),
    [symbol, first, initial.bars],
  );
  const bars = useBars({ symbol, timeframe, indicators }, rendered);
  // After the bars, which its newest one follows.
  useSymbolStream(live, initial.live, { symbol, timeframe, compare });
  useFirstBar(bars, live);
  const compared = useComparedBars(compare, choice, bars.loaded?.store.bars[0]?.[0]);
  const marks = useMarks(symbol, choice, shown, clock.now);
  const chosenLooks = useMemo(
    () => indicators.flatMap((name) => looks.find((look) => look.name === name) ?? []),
    [indicators, looks],
  );
  const onView = (view: ViewRange | null, hasMoved: boolean) => {
    setShown(view);
    // Until the bars of another timeframe are loaded, the view is one of the bars before.
    if (hasMoved && view !== null && bars.loaded?.source.timeframe === timeframe) change(view);
  };
  const [firstView] = useState(() => (first.fromMs === null ? null : { fromMs: first.fromMs, toMs: first.toMs }));

  return (
    <div className="grid grid-cols-[minmax(0,1fr)_21rem] items-start border-t border-line max-wide:grid-cols-1">
      <section aria-label={`Chart of ${symbol}`} className="min-w-0 border-r border-line pt-2.5 max-wide:border-r-0">
        <ChartToolbar
          choice={choice}
          isEventsLocked={!mayRead.calendar}
          onChange={change}
          onIndicators={() => setIsChoosing(true)}
          select={
            <SymbolSelect
              value={symbol}
              title={instrument.name}
              onChange={(next) => router.push(keepAt(toSymbolHref(next, { ...choice, fromMs: null, toMs: null })))}
            />
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
          onChange={(names) => change({ indicators: names })}
          onClose={() => setIsChoosing(false)}
        />
        <ChartNotes bars={bars} live={live} lacksIndicators={indicators.length > 0 && !mayRead.indicatorHistory} />
        {bars.loaded?.store.bars.length === 0 ? (
          <EmptyState title={`No ${timeframe} bar of ${symbol} yet`}>
            Bars are built from recorded prices. The first bar starts with the first price.
          </EmptyState>
        ) : (
          <ChartFrame
            {...{ instrument, bars, live, marks, firstView, onView }}
            compared={compare === null ? null : compared}
            looks={mayRead.indicatorHistory ? chosenLooks : []}
            layers={choice.layers}
            onTimeframe={(next) => change({ timeframe: next, fromMs: null, toMs: null })}
            onRemove={(name) => change({ indicators: indicators.filter((each) => each !== name) })}
            onScene={setScene}
          />
        )}
        <ChartFoot />
      </section>
      <SymbolPanel {...{ instrument, timeframe, live }} initial={initial.panel} firstTimeframe={first.timeframe} />
    </div>
  );
}

/** Loads the first bar of a symbol once it has a price. */
function useFirstBar({ loaded, refreshNewest }: Bars, live: LiveStore): void {
  const isEmpty = loaded?.store.bars.length === 0;
  useEffect(() => {
    if (!isEmpty) return;
    const unsubscribe = live.subscribe(() => {
      if (live.get().live.bar === null) return;
      unsubscribe();
      refreshNewest();
    });
    return unsubscribe;
  }, [isEmpty, live, refreshNewest]);
}

/** The bars of the compared symbol, as far back as those of the chart, which begin at `fromMs`. */
function useComparedBars(compare: string | null, { timeframe }: ChartChoice, fromMs: number | undefined) {
  const bars = useBars(compare === null ? null : { symbol: compare, timeframe, indicators: [] }, null);
  const { loaded, loadOlder } = bars;
  useEffect(() => {
    const first = loaded?.store.bars[0];
    if (first !== undefined && fromMs !== undefined && first[0] > fromMs) loadOlder(fromMs);
  }, [loaded, loadOlder, fromMs]);
  return bars;
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

interface StreamedSymbol {
  symbol: string;
  timeframe: Timeframe;
  compare: string | null;
}

/** Fills the store from the server while the page is open; of the past, with what the page is rendered with. */
function useSymbolStream(store: LiveStore, initial: LiveSymbol, { symbol, timeframe, compare }: StreamedSymbol): void {
  const isPast = useShownAt() !== null;
  useEffect(() => {
    if (isPast) store.set({ live: initial });
  }, [store, initial, isPast]);
  const clock = useMarketClock();
  const router = useRouter();
  const owner = useContext(PageOwnerContext);
  useEffect(() => {
    if (isPast) return;
    const query = new URLSearchParams({ timeframe, ...(compare === null ? {} : { compare }) });
    return followTopic(owner, {
      topic: `symbol/${symbol}?${query}`,
      onMessage(message) {
        const live = message as LiveSymbol;
        clock.set(live.nowMs);
        store.set({ live });
      },
      onState: (connection) => store.set({ connection }),
      // The page checks the session itself and redirects to sign in, and back here afterwards.
      onSignedOut: () => router.refresh(),
    });
  }, [store, symbol, timeframe, compare, clock, owner, router, isPast]);
}
