"use client";

import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useThemeKey } from "@/components/shared/theme-colours";
import { useZone } from "@/components/shared/zone-context";
import type { Bars } from "@/features/symbols/bars/use-bars";
import { readChartColours } from "@/features/symbols/chart/colours";
import { createScene, type Scene } from "@/features/symbols/chart/scene";
import { useAlignedLines, useCountdown, useFollowedPrices, useReportedView } from "@/features/symbols/chart/use-scene";
import { readViewRange, showViewRange, type ViewRange } from "@/features/symbols/chart/view-range";
import type { LiveStore } from "@/features/symbols/stream/live-store";
import type { ChartMarks, IndicatorLook, SymbolInstrument, WireBar } from "@/features/symbols/types";
import type { Layer } from "@/features/symbols/url";

export interface ChartCanvasProps {
  instrument: SymbolInstrument;
  bars: Bars;
  compared: Bars | null;
  looks: readonly IndicatorLook[];
  layers: readonly Layer[];
  marks: ChartMarks;
  live: LiveStore;
  /** The range of the page's address; null for the newest bars. */
  firstView: ViewRange | null;
  /** Called once the view has settled, with whether the visitor has moved it; null without bars in view. */
  onView: (view: ViewRange | null, hasMoved: boolean) => void;
  /** Called with the bar under the crosshair, counted from the first; null without one. */
  onPoint: (index: number | null) => void;
  onScene: (scene: Scene | null) => void;
}

/** The canvas of the chart. It draws what its properties say and follows the live store by itself. */
export function ChartCanvas(props: ChartCanvasProps) {
  const { instrument, bars, compared, looks, layers, marks, live } = props;
  const container = useRef<HTMLDivElement>(null);
  const [scene, setScene] = useState<Scene | null>(null);
  const theme = useThemeKey();
  const zone = useZone();
  const store = bars.loaded?.store ?? null;
  const timeframe = bars.loaded?.source.timeframe;
  const view = useRef(props.firstView);
  const shownTimeframe = useRef(timeframe);
  const report = useEffectEvent((next: Scene | null) => props.onScene(next));
  const point = useEffectEvent((index: number | null) => props.onPoint(index));
  const keepView = useEffectEvent((drawn: Scene) => (view.current = readViewRange(drawn.chart, store?.bars ?? [])));

  useEffect(() => {
    if (container.current === null || timeframe === undefined) return;
    const isPhone = matchMedia("(max-width: 48rem)").matches;
    const next = createScene(container.current, {
      instrument,
      timeframe,
      zone,
      isPhone,
      colours: readChartColours(container.current),
    });
    // A range of another timeframe may be far too wide or too narrow for this one.
    if (shownTimeframe.current !== timeframe) view.current = null;
    shownTimeframe.current = timeframe;
    next.chart.subscribeCrosshairMove(({ logical, point: place }) =>
      point(place === undefined || logical === undefined ? null : Math.round(logical)),
    );
    setScene(next);
    report(next);
    return () => {
      keepView(next);
      setScene(null);
      report(null);
      next.remove();
    };
  }, [instrument, timeframe, zone, theme]);

  const revision = bars.loaded?.revision;
  const showRange = useEffectEvent((drawn: Scene, all: readonly WireBar[]) => {
    const wanted = view.current;
    if (wanted === null) return;
    if ((all[0]?.[0] ?? 0) > wanted.fromMs && store?.hasOlder === true) bars.loadOlder(wanted.fromMs);
    else {
      showViewRange(drawn.chart, all, wanted);
      view.current = null;
    }
  });
  useEffect(() => {
    if (scene === null || store === null) return;
    scene.setBars(store);
    showRange(scene, store.bars);
  }, [scene, store, revision]);

  useEffect(() => {
    if (scene === null || store === null) return;
    scene.lines.setLooks(looks);
    scene.lines.setValues(store);
  }, [scene, store, looks]);

  const hasVolume = layers.includes("volume");
  useEffect(() => scene?.setVolume(hasVolume, store?.bars ?? []), [scene, store, hasVolume]);

  useEffect(() => scene?.marks.set(marks), [scene, marks]);
  useAlignedLines({ scene, bars, compared, spreads: layers.includes("spread") ? marks.spreads : null });
  useFollowedPrices({ scene, bars, live, hasQuotes: layers.includes("quotes") });
  useReportedView(scene, bars, props.onView);
  useCountdown(scene, live);

  return <div ref={container} className="absolute inset-0 isolate" />;
}
