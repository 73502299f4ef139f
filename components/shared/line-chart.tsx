"use client";

import {
  type AutoscaleInfo,
  createChart,
  type IChartApi,
  type ISeriesApi,
  LineSeries,
  LineStyle,
  LineType,
  type Time,
  type UTCTimestamp,
} from "lightweight-charts";
import { useEffect, useEffectEvent, useRef } from "react";
import { readColours, readFontFamily, useThemeKey } from "@/components/shared/theme-colours";
import { SECOND_MS } from "@/lib/time/units";

export interface ChartLine {
  readonly key: string;
  /** A token of the page's colours: "--line-1". */
  readonly colour: string;
  /** UTC milliseconds and values, oldest first; null where there is none. */
  readonly points: readonly (readonly [timeMs: number, value: number | null])[];
  /** "thin" is dotted. */
  readonly look?: "thin" | undefined;
}

interface LineChartProps {
  /** What the chart shows, for screen readers. */
  label: string;
  lines: readonly ChartLine[];
  decimals: number;
  /** Whether a value holds until the next point. */
  isStepped?: boolean;
  /** Whether the value axis begins at zero. */
  isFromZero?: boolean;
  /** A dashed line across the chart. */
  level?: number;
  /** Formats a time on the axis and at the crosshair. */
  formatTime: (timeMs: number) => string;
  /** The time under the pointer; null without one. */
  onHover: (timeMs: number | null) => void;
  className: string;
}

/** Lines on one time axis, drawn by Lightweight Charts, which the page credits with `ChartCredit`. */
export function LineChart(props: LineChartProps) {
  const { label, lines, decimals, level, className } = props;
  const box = useRef<HTMLDivElement>(null);
  const theme = useThemeKey();
  const format = useEffectEvent((timeMs: number) => props.formatTime(timeMs));
  const hover = useEffectEvent((timeMs: number | null) => props.onHover(timeMs));
  const drawn = useRef<{ chart: IChartApi; series: Map<string, ISeriesApi<"Line">> } | null>(null);
  const look = lines.map(({ key, colour, look = "" }) => `${key} ${colour} ${look}`).join();

  const create = useEffectEvent((container: HTMLDivElement) => {
    const colourOf = readColours(container);
    const toMs = (time: Time) => (time as number) * SECOND_MS;
    const chart = createChart(container, {
      ...createLook(colourOf),
      localization: { timeFormatter: (time: Time) => format(toMs(time)) },
      timeScale: {
        borderColor: colourOf("--line"),
        fixLeftEdge: true,
        fixRightEdge: true,
        tickMarkFormatter: (time: Time) => format(toMs(time)),
        tickMarkMaxCharacterLength: 12,
      },
    });
    const series = new Map(lines.map((line) => [line.key, addLine(chart, line, props, colourOf)]));
    const [first] = series.values();
    if (level !== undefined) {
      first?.createPriceLine({
        price: level,
        color: colourOf("--edge"),
        lineStyle: LineStyle.Dashed,
        axisLabelVisible: false,
      });
    }
    chart.subscribeCrosshairMove(({ time }) => hover(time === undefined ? null : toMs(time)));
    drawn.current = { chart, series };
    return chart;
  });

  useEffect(() => {
    if (box.current === null) return;
    const chart = create(box.current);
    return () => {
      drawn.current = null;
      chart.remove();
    };
  }, [theme, look, decimals]);

  useEffect(() => {
    for (const { key, points } of lines) {
      drawn.current?.series.get(key)?.setData(
        points.map(([timeMs, value]) => {
          const time = (timeMs / SECOND_MS) as UTCTimestamp;
          return value === null ? { time } : { time, value };
        }),
      );
    }
    drawn.current?.chart.timeScale().fitContent();
  }, [lines, theme, look, decimals]);

  return <div ref={box} role="img" aria-label={label} className={className} />;
}

function addLine(
  chart: IChartApi,
  { colour, look }: ChartLine,
  { decimals, isStepped = false, isFromZero = false }: LineChartProps,
  colourOf: (token: string) => string,
): ISeriesApi<"Line"> {
  return chart.addSeries(LineSeries, {
    color: colourOf(colour),
    lineWidth: look === "thin" ? 1 : 2,
    lineStyle: look === "thin" ? LineStyle.Dotted : LineStyle.Solid,
    lineType: isStepped ? LineType.WithSteps : LineType.Simple,
    priceLineVisible: false,
    lastValueVisible: false,
    crosshairMarkerRadius: 3,
    ...(isFromZero ? { autoscaleInfoProvider: includeZero } : {}),
    priceFormat: { type: "price", precision: decimals, minMove: 10 ** -decimals },
  });
}

/** The width of the value axis. What is drawn below the plot on the same time axis leaves as much room. */
const VALUE_AXIS_WIDTH = 56;

/** Lets the value axis begin at zero. */
function includeZero(findRange: () => AutoscaleInfo | null): AutoscaleInfo | null {
  const found = findRange();
  return found?.priceRange == null ? found : { ...found, priceRange: { ...found.priceRange, minValue: 0 } };
}

/** The options of a chart in the colours of the page. */
function createLook(colourOf: (token: string) => string) {
  return {
    autoSize: true,
    handleScroll: false,
    handleScale: false,
    layout: {
      background: { color: "transparent" },
      textColor: colourOf("--faint"),
      fontFamily: readFontFamily(),
      fontSize: 11,
      // The logo brings a style element, which the page's policy refuses. `ChartCredit` names the library instead.
      attributionLogo: false,
    },
    grid: { vertLines: { visible: false }, horzLines: { color: colourOf("--line") } },
    crosshair: {
      mode: 0,
      vertLine: { color: colourOf("--edge"), labelBackgroundColor: colourOf("--raised") },
      horzLine: { color: colourOf("--edge"), labelBackgroundColor: colourOf("--raised") },
    },
    rightPriceScale: {
      borderVisible: false,
      minimumWidth: VALUE_AXIS_WIDTH,
      scaleMargins: { top: 0.06, bottom: 0.06 },
    },
  };
}
