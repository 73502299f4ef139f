"use client";

import dynamic from "next/dynamic";
import { type KeyboardEvent, useCallback, useId, useMemo, useRef, useState } from "react";
import { useZone } from "@/components/shared/zone-context";
import type { Bars } from "@/features/symbols/bars/use-bars";
import type { ChartCanvasProps } from "@/features/symbols/chart/chart-canvas";
import { ChartLegend } from "@/features/symbols/chart/chart-legend";
import { formatChartTime } from "@/features/symbols/chart/chart-time";
import { LINE_TOKENS } from "@/features/symbols/chart/colours";
import { findLogical } from "@/features/symbols/chart/find-logical";
import type { Scene } from "@/features/symbols/chart/scene";
import { moveView } from "@/features/symbols/chart/view-range";
import type { ChartEvent, WireBar } from "@/features/symbols/types";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";

const ChartCanvas = dynamic(
  () => import("@/features/symbols/chart/chart-canvas").then((module) => module.ChartCanvas),
  {
    ssr: false,
  },
);

const LEGEND_COLOURS = LINE_TOKENS.map((token) => `var(${token})`);
const PAN_SHARE = 0.5;

interface ChartFrameProps extends Omit<ChartCanvasProps, "onPoint" | "onScene"> {
  onTimeframe: (timeframe: Timeframe) => void;
  onRemove: (indicator: string) => void;
  onScene: (scene: Scene | null) => void;
}

/** The chart with its legend and its keys. */
export function ChartFrame({ onTimeframe, onRemove, onScene, ...canvas }: ChartFrameProps) {
  const { instrument, bars, looks, live, marks } = canvas;
  const [point, setPoint] = useState<number | null>(null);
  const scene = useRef<Scene | null>(null);
  const helpId = useId();
  const loaded = bars.loaded;
  const keepScene = useCallback(
    (next: Scene | null) => {
      scene.current = next;
      onScene(next);
    },
    [onScene],
  );
  const events = useEventsAt(loaded, marks.events, point);

  function pointAt(index: number | null): void {
    const all = loaded?.store.bars ?? [];
    const bar = index === null ? undefined : all[Math.min(Math.max(index, 0), all.length - 1)];
    if (bar === undefined || index === null) {
      scene.current?.clearPoint();
      setPoint(null);
      return;
    }
    scene.current?.showPoint(bar);
    setPoint(all.indexOf(bar));
  }

  function onKeyDown(event: KeyboardEvent<HTMLDivElement>): void {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const chart = scene.current?.chart;
    if (chart === undefined || loaded === null) return;
    const newest = loaded.store.bars.length - 1;
    const step = event.key === "ArrowLeft" ? -1 : 1;
    const timeframe = TIMEFRAMES[Number(event.key) - 1];
    if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      if (event.shiftKey) moveView(chart, { by: step * PAN_SHARE });
      else pointAt(point === null ? newest : point + step);
    } else if (event.key === "+" || event.key === "=") moveView(chart, { zoom: 0.8 });
    else if (event.key === "-") moveView(chart, { zoom: 1.25 });
    else if (event.key === "PageUp" || event.key === "PageDown")
      moveView(chart, { by: event.key === "PageUp" ? -1 : 1 });
    else if (event.key === "End") scene.current?.showNewest();
    else if (event.key === "Escape") pointAt(null);
    else if (timeframe !== undefined) onTimeframe(timeframe);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div
        data-chart
        role="application"
        tabIndex={0}
        aria-label={`Chart of ${instrument.symbol}, ${loaded?.source.timeframe ?? ""}`}
        aria-describedby={helpId}
        onKeyDown={onKeyDown}
        className={`relative h-[clamp(22rem,calc(100dvh-13rem),64rem)] max-md:h-[clamp(20rem,62dvh,40rem)] min-w-0 overflow-hidden focus-visible:-outline-offset-2 ${bars.isLoading ? "opacity-60" : ""}`}
      >
        {loaded !== null && (
          <ChartLegend
            {...{ instrument, live, looks, point, events, onRemove }}
            timeframe={loaded.source.timeframe}
            store={loaded.store}
            colours={LEGEND_COLOURS}
          />
        )}
        <ChartCanvas {...canvas} onPoint={setPoint} onScene={keepScene} />
      </div>
      <p id={helpId} className="sr-only">
        Left and right move from bar to bar, with Shift they move the view. Plus and minus zoom. End shows the newest
        bar. 1 to 8 choose a timeframe from M1 to W1.
      </p>
      <PointedBar
        bar={point === null ? undefined : loaded?.store.bars[point]}
        timeframe={loaded?.source.timeframe ?? "M1"}
        digits={instrument.digits}
      />
    </>
  );
}

/** The events that happened in a bar. */
function useEventsAt(
  loaded: Bars["loaded"],
  events: readonly ChartEvent[],
  point: number | null,
): readonly ChartEvent[] {
  return useMemo(() => {
    if (loaded === null || point === null) return [];
    const { store, source } = loaded;
    const times = store.bars.map(([timeMs]) => timeMs);
    return events.filter(({ timeMs }) => {
      const logical = findLogical(times, timeMs, source.timeframe);
      return logical !== null && Math.floor(logical) === point;
    });
  }, [loaded, events, point]);
}

interface PointedBarProps {
  bar: WireBar | undefined;
  timeframe: Timeframe;
  digits: number;
}

/** Reads the pointed bar to screen readers. */
function PointedBar({ bar, timeframe, digits }: PointedBarProps) {
  const zone = useZone();
  const [timeMs, ...prices] = bar ?? [0];
  const [open, high, low, close] = prices.map((price) => price.toFixed(digits));
  return (
    <p role="status" className="sr-only">
      {bar !== undefined &&
        `${formatChartTime(timeMs, timeframe, zone)}: open ${open}, high ${high}, low ${low}, close ${close}`}
    </p>
  );
}
