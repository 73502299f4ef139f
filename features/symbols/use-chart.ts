"use client";

import { useRouter } from "next/navigation";
import { useContext, useEffect, useMemo, useState } from "react";
import { followTopic } from "@/components/shared/live/follow-topic";
import { useMarketClock } from "@/components/shared/market-clock";
import { PageOwnerContext } from "@/components/shared/page-owner";
import { useShownAt } from "@/components/ui/past";
import { createLiveStore, type LiveStore } from "@/features/symbols/live-store";
import type { Scene } from "@/features/symbols/scene";
import type { BarPage, LiveSymbol } from "@/features/symbols/types";
import { type ChartChoice, chooseBarPrice } from "@/features/symbols/url";
import { type Bars, useBars } from "@/features/symbols/use-bars";
import { useMarks } from "@/features/symbols/use-marks";
import type { ViewRange } from "@/features/symbols/view-range";
import type { PriceSide } from "@/lib/market/price";
import type { Timeframe } from "@/lib/market/timeframe";

interface ChartInput {
  readonly symbol: string;
  readonly choice: ChartChoice;
  /** Changes some of the choices. */
  readonly change: (next: Partial<ChartChoice>) => void;
  /** The choices that `initial` was read for. */
  readonly first: ChartChoice;
  readonly initial: { readonly bars: BarPage | null; readonly live: LiveSymbol };
}

/**
 * Everything that one chart of a symbol draws, which follows the choices. A page may have several: each has a state of its
 * own, and all share one stream.
 */
export function useChart({ symbol, choice, change, first, initial }: ChartInput) {
  const clock = useMarketClock();
  const [live] = useState(() => createLiveStore(initial.live));
  const { timeframe, indicators, compare } = choice;
  const price = chooseBarPrice(timeframe, choice.price);
  const [scene, setScene] = useState<Scene | null>(null);
  const [shown, setShown] = useState<ViewRange | null>(null);
  const rendered = useMemo(
    () =>
      initial.bars && {
        source: {
          symbol,
          timeframe: first.timeframe,
          price: chooseBarPrice(first.timeframe, first.price),
          indicators: first.indicators,
        },
        page: initial.bars,
      },
    [symbol, first, initial.bars],
  );
  const bars = useBars({ symbol, timeframe, price, indicators }, rendered);
  // After the bars, which its newest one follows.
  useSymbolStream(live, initial.live, { symbol, timeframe, price, compare });
  useFirstBar(bars, live);
  const compared = useComparedBars(compare, choice, bars.loaded?.store.bars[0]?.[0]);
  const marks = useMarks(symbol, choice, shown, clock.now);
  const onView = (view: ViewRange | null, hasMoved: boolean) => {
    setShown(view);
    // Until the bars of another timeframe are loaded, the view is one of the bars before.
    if (hasMoved && view !== null && bars.loaded?.source.timeframe === timeframe) change(view);
  };
  const [firstView] = useState(() => (first.fromMs === null ? null : { fromMs: first.fromMs, toMs: first.toMs }));
  return { live, bars, compared: compare === null ? null : compared, marks, scene, setScene, shown, onView, firstView };
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
  const bars = useBars(compare === null ? null : { symbol: compare, timeframe, price: "bid", indicators: [] }, null);
  const { loaded, loadOlder } = bars;
  useEffect(() => {
    const first = loaded?.store.bars[0];
    if (first !== undefined && fromMs !== undefined && first[0] > fromMs) loadOlder(fromMs);
  }, [loaded, loadOlder, fromMs]);
  return bars;
}

interface StreamedSymbol {
  symbol: string;
  timeframe: Timeframe;
  price: PriceSide;
  compare: string | null;
}

/** Fills the store from the server while the chart is shown; of the past, with what it was first read with. */
function useSymbolStream(
  store: LiveStore,
  initial: LiveSymbol,
  { symbol, timeframe, price, compare }: StreamedSymbol,
): void {
  const isPast = useShownAt() !== null;
  useEffect(() => {
    if (isPast) store.set({ live: initial });
  }, [store, initial, isPast]);
  const clock = useMarketClock();
  const router = useRouter();
  const owner = useContext(PageOwnerContext);
  useEffect(() => {
    if (isPast) return;
    const query = new URLSearchParams({ timeframe, price, ...(compare === null ? {} : { compare }) });
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
  }, [store, symbol, timeframe, price, compare, clock, owner, router, isPast]);
}
