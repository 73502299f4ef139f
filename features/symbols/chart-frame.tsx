"use client";

import { X } from "lucide-react";
import dynamic from "next/dynamic";
import { type KeyboardEvent, type ReactNode, useCallback, useId, useMemo, useRef, useState } from "react";
import { useZone } from "@/components/shared/zone-context";
import { Figure } from "@/components/ui/figure";
import type { BarStore } from "@/features/symbols/bar-store";
import type { ChartCanvasProps } from "@/features/symbols/chart-canvas";
import { LINE_TOKENS } from "@/features/symbols/chart-colours";
import { NextReleases, PointedEvents } from "@/features/symbols/chart-events";
import { formatChartTime } from "@/features/symbols/chart-time";
import { type LiveStore, useLive } from "@/features/symbols/live-store";
import { useBricks } from "@/features/symbols/renko";
import type { Scene } from "@/features/symbols/scene";
import type { ChartEvent, IndicatorLook, SymbolInstrument, WireBar } from "@/features/symbols/types";
import type { Bars } from "@/features/symbols/use-bars";
import { findLogical, moveView } from "@/features/symbols/view-range";
import { formatSentPrice, type PriceSide } from "@/lib/market/price";
import { type Timeframe, TIMEFRAMES } from "@/lib/market/timeframe";
import { formatCount } from "@/lib/text/text";

const ChartCanvas = dynamic(() => import("@/features/symbols/chart-canvas").then((module) => module.ChartCanvas), {
  ssr: false,
});

const LEGEND_COLOURS = LINE_TOKENS.map((token) => `var(${token})`);
const PAN_SHARE = 0.5;

const DrawingTools = dynamic(
  () => import("@/features/symbols/drawings/drawing-tools").then((module) => module.DrawingTools),
  {
    ssr: false,
    loading: () => <div className="w-13 flex-none border-r border-line max-md:hidden in-data-panel-body:hidden" />,
  },
);

interface ChartFrameProps extends Omit<ChartCanvasProps, "onPoint" | "onTap" | "onScene"> {
  /** Whether the releases around now are shown. */
  hasReleases: boolean;
  onTimeframe: (timeframe: Timeframe) => void;
  onRemove: (indicator: string) => void;
  onScene: (scene: Scene | null) => void;
  /** The height of Renko bricks in pips; null for the usual range of a bar. */
  brick?: number | null;
  /** Classes of its height. */
  className?: string;
}

/** What has no place where the axis is not one of time. The lines of the quote are levels, and stay. */
const WITHOUT_TIME = {
  compared: null,
  looks: [],
  marks: { bands: [], events: [], spreads: [] },
} satisfies Partial<ChartCanvasProps>;

const PAGE_HEIGHT = "h-[clamp(22rem,calc(100dvh-13rem),64rem)] max-md:h-[clamp(20rem,62dvh,40rem)]";

/** The chart with its legend and its keys. */
export function ChartFrame(props: ChartFrameProps) {
  const { onTimeframe, onRemove, onScene, hasReleases, brick = null, className = PAGE_HEIGHT, ...given } = props;
  const bricks = useBricks(given.bars, given.instrument, { isShown: given.style === "renko", pips: brick });
  const canvas =
    bricks === null
      ? given
      : {
          ...given,
          ...WITHOUT_TIME,
          layers: given.layers.filter((layer) => layer === "quotes"),
          bars: bricks.bars,
        };
  const { instrument, bars, looks, live, marks } = canvas;
  const [point, setPoint] = useState<number | null>(null);
  const scene = useRef<Scene | null>(null);
  const [drawn, setDrawn] = useState<Scene | null>(null);
  const [frame, setFrame] = useState<HTMLElement | null>(null);
  const helpId = useId();
  const loaded = bars.loaded;
  const keepScene = useCallback(
    (next: Scene | null) => {
      scene.current = next;
      setDrawn(next);
      onScene(next);
    },
    [onScene],
  );
  const events = useEventsAt(loaded, marks.events, point);
  const store = loaded?.store;
  const getNewest = useCallback(() => store?.bars.at(-1), [store]);

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
      <div className={`flex ${className}`}>
        {bricks === null && (
          <DrawingTools
            {...{ instrument, bars, frame }}
            scene={drawn}
            scale={canvas.scale === "log" && canvas.compared === null ? "log" : "linear"}
          />
        )}
        <div
          ref={setFrame}
          data-chart
          data-renko={bricks === null ? undefined : ""}
          role="application"
          tabIndex={0}
          aria-label={`Chart of ${instrument.symbol}, ${loaded?.source.timeframe ?? ""}`}
          aria-describedby={helpId}
          onKeyDown={onKeyDown}
          className={`relative min-w-0 flex-1 overflow-hidden focus-visible:-outline-offset-2 ${bars.isLoading ? "opacity-60" : ""}`}
        >
          {loaded !== null && (
            <ChartLegend
              {...{ instrument, live, looks, point, events, onRemove }}
              timeframe={loaded.source.timeframe}
              price={loaded.source.price}
              store={loaded.store}
              colours={LEGEND_COLOURS}
            >
              {hasReleases && <NextReleases {...{ instrument, getNewest }} scene={bricks === null ? drawn : null} />}
            </ChartLegend>
          )}
          {bricks !== null && (
            <p className="pointer-events-none absolute bottom-8 left-2 z-2 max-w-[calc(100%-6rem)] rounded-sm bg-[color-mix(in_srgb,var(--bg)_80%,transparent)] px-1 text-xs12 text-dim">
              Renko of closes, bricks of <Figure>{bricks.pips}</Figure> pips. It has no axis of time, so drawings,
              alerts, indicators, events, sessions, volume and spread are not shown.
            </p>
          )}
          <ChartCanvas {...canvas} onPoint={setPoint} onTap={pointAt} onScene={keepScene} />
        </div>
      </div>
      <p id={helpId} className="sr-only">
        Left and right move from bar to bar, and say the releases of a bar and what followed; with Shift they move the
        view. Plus and minus zoom. End shows the newest bar. 1 to 8 choose a timeframe from M1 to W1. Alt and a letter
        choose a drawing tool: arrow keys then move its cursor, and Enter places a point. Alt with up or down selects a
        drawing, and Enter one of its points.
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
  const [open, high, low, close] = prices.map((price) => formatSentPrice(price, digits));
  return (
    <p role="status" className="sr-only">
      {bar !== undefined &&
        `${formatChartTime(timeMs, timeframe, zone)}: open ${open}, high ${high}, low ${low}, close ${close}`}
    </p>
  );
}

interface ChartLegendProps {
  instrument: SymbolInstrument;
  timeframe: Timeframe;
  price: PriceSide;
  store: BarStore;
  live: LiveStore;
  looks: readonly IndicatorLook[];
  /** CSS colours of the indicators, in their order. */
  colours: readonly string[];
  /** The bar under the crosshair; null for the newest. */
  point: number | null;
  /** The events of that bar. */
  events: readonly ChartEvent[];
  onRemove: (indicator: string) => void;
  /** Below the figures of the bar. */
  children: ReactNode;
}

/** The figures of the bar under the crosshair, or of the newest one, over the chart. */
function ChartLegend(props: ChartLegendProps) {
  const { instrument, timeframe, price: side, store, live, looks, colours, point, events, onRemove, children } = props;
  // Renders again with every price.
  useLive(live);
  const index = Math.min(point ?? Infinity, store.bars.length - 1);
  const bar = store.bars[index];
  if (bar === undefined) return null;
  return (
    <div
      data-legend
      className="pointer-events-none absolute top-1.5 left-2 z-2 grid w-fit max-w-[calc(100%-5.5rem)] gap-0.5 text-xs12 *:w-fit *:rounded-sm *:bg-[color-mix(in_srgb,var(--bg)_70%,transparent)] *:px-1"
    >
      <BarFigures
        {...{ instrument, timeframe, side, bar }}
        before={store.bars[index - 1]?.[4]}
        isPointed={point !== null}
      />
      {children}
      <div className="flex flex-wrap gap-x-3 max-md:grid">
        {looks.map(({ name, decimals, description }, at) => {
          const value = findValue(store.getValues(name), index, point !== null);
          return (
            <p key={name} className="flex items-center gap-1.5">
              <span aria-hidden className="h-0.5 w-3 flex-none" style={{ background: colours[at] }} />
              <span title={description} className="text-dim">
                {name}
              </span>
              <Figure>{value === null ? "–" : formatValue(value, decimals)}</Figure>
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => onRemove(name)}
                className="pointer-events-auto grid size-6 place-items-center rounded-sm text-faint hover:bg-hover hover:text-ink"
              >
                <X aria-hidden size={12} />
              </button>
            </p>
          );
        })}
      </div>
      {events.length > 0 && (
        <div>
          <PointedEvents symbol={instrument.symbol} events={events} />
        </div>
      )}
    </div>
  );
}

/** The value at a bar, or the newest one: a bar that is still filling has none. */
function findValue(values: readonly (number | null)[], index: number, isPointed: boolean): number | null {
  return values[index] ?? (isPointed ? null : (values.findLast((value) => value !== null) ?? null));
}

function formatValue(value: number, decimals: number): string {
  return Math.abs(value) >= 10_000 ? formatCount(value) : value.toFixed(decimals);
}

interface BarFiguresProps {
  instrument: SymbolInstrument;
  timeframe: Timeframe;
  side: PriceSide;
  bar: readonly [number, number, number, number, number, number];
  /** The close of the bar before. */
  before: number | undefined;
  isPointed: boolean;
}

/** The prices, the change and the volume of one bar. */
function BarFigures({ instrument: { symbol, digits }, timeframe, side, bar, before, isPointed }: BarFiguresProps) {
  const [timeMs, open, high, low, close, volume] = bar;
  const zone = useZone();
  const colour = close >= open ? "text-up" : "text-down";
  const change = before === undefined ? null : close - before;
  const sign = (value: number) => (value > 0 ? "+" : value < 0 ? "−" : "");
  return (
    <p className="flex flex-wrap gap-x-2.5">
      <span translate="no" className="font-medium max-md:hidden">
        {symbol} · {timeframe}
      </span>
      {side !== "bid" && <span className="font-medium text-accent-ink">{side === "ask" ? "Ask" : "Mid"}</span>}
      {isPointed && <Figure className="text-dim">{formatChartTime(timeMs, timeframe, zone)}</Figure>}
      {(
        [
          ["O", open],
          ["H", high],
          ["L", low],
          ["C", close],
        ] as const
      ).map(([name, price]) => (
        <span key={name} className="whitespace-nowrap">
          <span translate="no" className="text-faint">
            {name}
          </span>{" "}
          <Figure className={colour}>{formatSentPrice(price, digits)}</Figure>
        </span>
      ))}
      {change !== null && before !== undefined && (
        <Figure className={`whitespace-nowrap ${change >= 0 ? "text-up" : "text-down"}`}>
          {sign(change)}
          {Math.abs(change).toFixed(digits)} ({sign(change)}
          {((100 * Math.abs(change)) / before).toFixed(2)} %)
        </Figure>
      )}
      <span className="whitespace-nowrap in-data-renko:hidden">
        <span className="text-faint">Vol</span> <Figure>{formatCount(volume)}</Figure>
      </span>
    </p>
  );
}
