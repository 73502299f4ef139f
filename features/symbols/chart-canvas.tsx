"use client";

import type { MouseEventParams, Time } from "lightweight-charts";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { useMarketClock } from "@/components/shared/market-clock";
import { useThemeKey } from "@/components/shared/theme-colours";
import { useZone } from "@/components/shared/zone-context";
import { withQuote } from "@/features/symbols/bar-store";
import { readChartColours } from "@/features/symbols/chart-colours";
import { toMs } from "@/features/symbols/chart-time";
import type { LiveStore } from "@/features/symbols/live-store";
import { BrickStore } from "@/features/symbols/renko";
import { createScene, type Scene } from "@/features/symbols/scene";
import type { ChartMarks, IndicatorLook, SymbolInstrument, WireBar } from "@/features/symbols/types";
import type { ChartStyle, Layer, PriceScale } from "@/features/symbols/url";
import type { Bars } from "@/features/symbols/use-bars";
import { readViewRange, showViewRange, type ViewRange } from "@/features/symbols/view-range";
import { findLastBefore } from "@/lib/market/time-axis";
import { getBarEnd } from "@/lib/market/timeframe";
import { formatTimeLeft } from "@/lib/time/duration";

export interface ChartCanvasProps {
  instrument: SymbolInstrument;
  bars: Bars;
  compared: Bars | null;
  looks: readonly IndicatorLook[];
  layers: readonly Layer[];
  style: ChartStyle;
  scale: PriceScale;
  marks: ChartMarks;
  live: LiveStore;
  /** The range of the page's address; null for the newest bars. */
  firstView: ViewRange | null;
  /** Called once the view has settled, with whether the visitor has moved it; null without bars in view. */
  onView: (view: ViewRange | null, hasMoved: boolean) => void;
  /** Called with the bar under the crosshair, counted from the first; null without one. */
  onPoint: (index: number | null) => void;
  /** Called once a finger has touched the flag of a bar, or with null another place. */
  onTap: (index: number | null) => void;
  onScene: (scene: Scene | null) => void;
  /** Links the crosshair with those of other charts of the page. */
  crosshair?: CrosshairLink | undefined;
}

/** The moment under the crosshair of one of several charts, which the others show too: UTC milliseconds. */
export interface CrosshairLink {
  /** Null once the pointer has left the chart. */
  say(timeMs: number | null): void;
  /** Calls the listener with what other charts say. Returns a function that ends it. */
  follow(listener: (timeMs: number | null) => void): () => void;
}

/** The canvas of the chart. It draws what its properties say and follows the live store by itself. */
export function ChartCanvas(props: ChartCanvasProps) {
  const { instrument, bars, compared, looks, layers, style, scale, marks, live } = props;
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
  const tap = useEffectEvent((index: number | null) => props.onTap(index));
  const keepView = useEffectEvent((drawn: Scene) => (view.current = readViewRange(drawn.chart, store?.bars ?? [])));

  useEffect(() => {
    if (container.current === null || timeframe === undefined) return;
    const isPhone = matchMedia("(max-width: 48rem)").matches;
    const next = createScene(container.current, {
      instrument,
      timeframe,
      style,
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
    const unfollowTaps = followTaps(container.current, next, tap);
    setScene(next);
    report(next);
    return () => {
      unfollowTaps();
      keepView(next);
      setScene(null);
      report(null);
      next.remove();
    };
  }, [instrument, timeframe, style, zone, theme]);

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

  useEffect(() => scene?.setScale(scale), [scene, scale]);

  const hasVolume = layers.includes("volume");
  useEffect(() => scene?.setVolume(hasVolume, store?.bars ?? []), [scene, store, hasVolume]);

  useEffect(() => scene?.marks.set(marks), [scene, marks]);
  useAlignedLines({ scene, bars, compared, spreads: layers.includes("spread") ? marks.spreads : null });
  useFollowedPrices({ scene, bars, live, hasQuotes: layers.includes("quotes") });
  useReportedView(scene, bars, props.onView);
  useCountdown(scene, live);
  useLinkedCrosshair({ scene, bars, link: props.crosshair, onPoint: props.onPoint });

  return <div ref={container} translate="no" className="absolute inset-0 isolate" />;
}

/** A finger has no crosshair until it has rested on the chart. Where it touches a flag, it shows that bar at once. */
function followTaps(container: HTMLElement, { chart, marks }: Scene, onTap: (index: number | null) => void) {
  let isTouch = false;
  const note = (event: PointerEvent) => (isTouch = event.pointerType === "touch");
  container.addEventListener("pointerdown", note, { capture: true, passive: true });
  chart.subscribeClick(({ point: place, paneIndex = 0 }) => {
    if (isTouch && place !== undefined) onTap(paneIndex === 0 ? marks.findFlag(place) : null);
  });
  return () => container.removeEventListener("pointerdown", note, { capture: true });
}

/** Older bars are loaded when fewer than this many are left of the view. */
const OLDER_WITHIN = 60;
const VIEW_SETTLES_MS = 400;
/** A closed bar is read again after this long, when it is complete everywhere, and not by all viewers at once. */
const CLOSE_SETTLES_MS = 1_200;

/** Draws the compared symbol and the spreads, both at the times of the bars. */
function useAlignedLines(input: {
  scene: Scene | null;
  bars: Bars;
  compared: Bars | null;
  spreads: ChartMarks["spreads"] | null;
}): void {
  const { scene, spreads } = input;
  const store = input.bars.loaded?.store ?? null;
  const timeframe = input.bars.loaded?.source.timeframe;
  const revision = input.bars.loaded?.revision;
  const other = input.compared?.loaded ?? null;
  useEffect(() => {
    if (scene === null || store === null) return;
    if (other === null || other.source.timeframe !== timeframe) scene.setCompared(null, "");
    else scene.setCompared(alignTimes(store.bars, other.store.bars), other.source.symbol);
  }, [scene, store, revision, other, timeframe]);
  useEffect(() => {
    if (scene === null || store === null) return;
    scene.setSpread(spreads && alignTimes(store.bars, spreads));
  }, [scene, store, revision, spreads]);
}

/** Says where the crosshair is, and follows the other charts. */
function useLinkedCrosshair(input: {
  scene: Scene | null;
  bars: Bars;
  link: CrosshairLink | undefined;
  onPoint: (index: number | null) => void;
}): void {
  const { scene, link } = input;
  const store = input.bars.loaded?.store ?? null;
  const point = useEffectEvent(input.onPoint);
  useEffect(() => {
    if (scene === null || store === null || link === undefined) return;
    const { chart } = scene;
    // The library also calls it after new prices. Then there is a place, but no event of the visitor.
    const say = ({ time, point: place, sourceEvent }: MouseEventParams<Time>) => {
      if (place === undefined) link.say(null);
      else if (sourceEvent !== undefined && time !== undefined) link.say(toMs(time));
    };
    const show = (timeMs: number | null) => {
      const times = store.bars.map(([openedMs]) => openedMs);
      const index = timeMs === null || timeMs < (times[0] ?? Infinity) ? null : findLastBefore(times, timeMs);
      const bar = index === null ? undefined : store.bars[index];
      if (bar === undefined) scene.clearPoint();
      else scene.showPoint(bar);
      point(index);
    };
    chart.subscribeCrosshairMove(say);
    const unfollow = link.follow(show);
    return () => {
      chart.unsubscribeCrosshairMove(say);
      unfollow();
    };
  }, [scene, store, link]);
}

/** Shows beside the last price how long its bar has left. */
function useCountdown(scene: Scene | null, live: LiveStore): void {
  const clock = useMarketClock();
  useEffect(() => {
    if (scene === null) return;
    const show = () => {
      const { quote, bar, timeframe } = live.get().live;
      const leftMs = bar === null ? 0 : getBarEnd(timeframe, bar[0]) - clock.now();
      scene.setCountdown(quote?.state === "closed" ? "closed" : leftMs > 0 ? formatTimeLeft(leftMs) : "");
    };
    show();
    return clock.subscribe(show);
  }, [scene, live, clock]);
}

/** The points at the times of the bars. Other times would shift the bars apart. */
function alignTimes<Point extends readonly [timeMs: number, ...rest: number[]]>(
  bars: readonly WireBar[],
  points: readonly Point[],
): readonly Point[] {
  const times = new Set(bars.map(([timeMs]) => timeMs));
  return points.filter(([timeMs]) => times.has(timeMs));
}

/** Draws every price that arrives, and loads a bar again once it has closed. */
function useFollowedPrices(input: { scene: Scene | null; bars: Bars; live: LiveStore; hasQuotes: boolean }): void {
  const { scene, live, hasQuotes } = input;
  const store = input.bars.loaded?.store ?? null;
  const timeframe = input.bars.loaded?.source.timeframe;
  const price = input.bars.loaded?.source.price;
  const refresh = useEffectEvent(() => input.bars.refreshNewest());
  useEffect(() => {
    if (scene === null || store === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = () => {
      const { quote, bar, compared, timeframe: of, price: side } = live.get().live;
      scene.setQuote(hasQuotes ? quote : null);
      if (of !== timeframe || side !== price || bar === null) return;
      const newest = withQuote(bar, quote, getBarEnd(of, bar[0]), side);
      const change = store.apply(newest);
      if (change === "ignored") return;
      if (store instanceof BrickStore) {
        scene.setBars(store);
        scene.setLastPrice(newest);
      } else scene.updateNewest(store, newest);
      if (compared !== null && compared[0] === newest[0]) scene.updateCompared(compared);
      if (change === "opened") timer ??= setTimeout(() => ((timer = undefined), refresh()), CLOSE_SETTLES_MS);
    };
    follow();
    const unsubscribe = live.subscribe(follow);
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [scene, store, timeframe, price, live, hasQuotes]);
}

/** Loads older bars as the view nears the first one, and reports where the visitor has moved it. */
function useReportedView(
  scene: Scene | null,
  bars: Bars,
  onView: (view: ViewRange | null, hasMoved: boolean) => void,
): void {
  const store = bars.loaded?.store ?? null;
  const loadOlder = useEffectEvent(() => bars.loadOlder());
  const reportView = useEffectEvent(onView);
  useEffect(() => {
    if (scene === null || store === null) return;
    const { chart } = scene;
    const element = chart.chartElement();
    let hasMoved = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const move = () => (hasMoved = true);
    const followView = () => {
      const range = chart.timeScale().getVisibleLogicalRange();
      if (range !== null && range.from < OLDER_WITHIN && store.hasOlder) loadOlder();
      clearTimeout(timer);
      timer = setTimeout(() => reportView(readViewRange(chart, store.bars), hasMoved), VIEW_SETTLES_MS);
    };
    const events = ["pointerdown", "wheel", "touchstart", "keydown"] as const;
    const outer = element.closest("[data-chart]") ?? element;
    for (const name of events) outer.addEventListener(name, move, { passive: true });
    chart.timeScale().subscribeVisibleLogicalRangeChange(followView);
    followView();
    return () => {
      clearTimeout(timer);
      for (const name of events) outer.removeEventListener(name, move);
      chart.timeScale().unsubscribeVisibleLogicalRangeChange(followView);
    };
  }, [scene, store]);
}
