"use client";

import {
  Area,
  CartesianGrid,
  ComposedChart,
  Line,
  ResponsiveContainer,
  Tooltip,
  type TooltipContentProps,
  XAxis,
  YAxis,
} from "recharts";
import { computePriceTicks } from "@/components/shared/price-ticks";
import { PLOT_CLASS, timeAxis, valueAxis } from "@/components/ui/chart-axes";
import { computeTimeTicks, findPoint, formatAxisTime, toDrawnSeries } from "@/features/spreads/drawn-series";
import { formatPips, formatStep } from "@/features/spreads/spread-text";
import type { SpreadDetailData, SpreadPoint } from "@/features/spreads/types";
import { DAY_MS } from "@/lib/time/units";

/** Width of the value axis. The lanes below the plot leave the same space. */
const AXIS_WIDTH = 48;
const MOST_TICKS = 8;
const TENTH_OF_A_PIP = 0.1;

/** The mean spread of each step, and the band in which 90 % of its seconds lie. */
export function SpreadChart({ data, className }: { data: SpreadDetailData; className: string }) {
  const { symbol, fromMs, nowMs, stepMs, series } = data;
  const steps = { type: "stepAfter", isAnimationActive: false, activeDot: false, dot: false } as const;
  const spanMs = nowMs - fromMs;
  const marks = computePriceTicks([0, ...series.map(([, , , p95]) => p95)], TENTH_OF_A_PIP);
  return (
    <div
      role="img"
      aria-label={`Mean spread of ${symbol} every ${formatStep(stepMs)}`}
      className={`${className} ${PLOT_CLASS}`}
    >
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart
          data={toDrawnSeries(series, stepMs, nowMs)}
          accessibilityLayer={false}
          margin={{ top: 8, right: 0, bottom: 0, left: 0 }}
        >
          <XAxis
            dataKey="timeMs"
            type="number"
            domain={[fromMs, nowMs]}
            ticks={computeTimeTicks(fromMs, nowMs, MOST_TICKS)}
            tickFormatter={(ms: number) => formatAxisTime(ms, spanMs)}
            interval="preserveStart"
            {...timeAxis}
          />
          <YAxis
            domain={[0, marks.at(-1) ?? 1]}
            ticks={marks}
            interval={0}
            tickFormatter={(pips: number) => pips.toFixed((marks[1] ?? 0) < 1 ? 1 : 0)}
            {...valueAxis}
            width={AXIS_WIDTH}
          />
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <Tooltip
            isAnimationActive={false}
            cursor={{ stroke: "var(--edge)", strokeDasharray: "3 3" }}
            content={(props) => <Reading {...props} series={series} stepMs={stepMs} spanMs={spanMs} />}
          />
          <Area dataKey="band" {...steps} stroke="none" fill="var(--accent)" fillOpacity={0.18} />
          <Line dataKey="avg" {...steps} stroke="var(--accent-ink)" strokeWidth={1.5} />
        </ComposedChart>
      </ResponsiveContainer>
    </div>
  );
}

type ReadingProps = TooltipContentProps & {
  readonly series: readonly SpreadPoint[];
  stepMs: number;
  readonly spanMs: number;
};

function Reading({ active, label, series, stepMs, spanMs }: ReadingProps) {
  const point = findPoint(series, stepMs, Number(label));
  if (!active || point === undefined) return null;
  const [startMs, avg, p5, p95, min, max] = point;
  const day = spanMs > DAY_MS ? `${formatAxisTime(startMs, Infinity)} ` : "";
  return (
    <div className="rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs12 shadow-float">
      <p className="text-dim">
        {day}
        {formatAxisTime(startMs, 0)}–{formatAxisTime(startMs + stepMs, 0)}
      </p>
      <p>
        Mean <b>{formatPips(avg)}</b>
      </p>
      <p>
        90 % within {formatPips(p5)}–{formatPips(p95)}
      </p>
      <p>
        From {formatPips(min)} to {formatPips(max)}
      </p>
    </div>
  );
}
