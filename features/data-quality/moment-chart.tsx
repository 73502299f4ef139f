"use client";

import { CartesianGrid, ComposedChart, Line, ReferenceArea, ResponsiveContainer, XAxis, YAxis } from "recharts";
import { PLOT_CLASS, timeAxis } from "@/components/ui/chart-axes";
import { formatClock } from "@/features/data-quality/url";
import type { LoggedSecond } from "@/lib/history/quality/quality-reader";

interface MomentChartProps {
  symbol: string;
  /** Sources, the one at fault first. */
  names: readonly string[];
  seconds: readonly LoggedSecond[];
  /** The seconds at fault, which are shaded. */
  fromMs: number;
  toMs: number;
}

/** As many as there are colours of lines. */
const MOST_LINES = 8;
const HEIGHT = 240;

/** The bids of the sources around a moment, drawn as steps. */
export function MomentChart({ symbol, names, seconds, fromMs, toMs }: MomentChartProps) {
  const shown = names.slice(0, MOST_LINES);
  const points = seconds.map(({ timeMs, sources }) => ({
    timeMs,
    bids: shown.map((name) => sources.find((each) => each.source === name)?.bid ?? null),
  }));
  const digits = Math.max(0, ...seconds.flatMap(({ sources }) => sources.map((each) => each.digits)));
  const colour = (index: number) => `var(--line-${index + 1})`;
  return (
    <figure className="grid gap-1">
      <div
        role="img"
        translate="no"
        aria-label={`Bids of ${symbol} of ${shown.join(", ")}, second by second`}
        className={PLOT_CLASS}
      >
        <ResponsiveContainer width="100%" height={HEIGHT}>
          <ComposedChart data={points} accessibilityLayer={false} margin={{ top: 6, right: 0, bottom: 0, left: 8 }}>
            <XAxis
              dataKey="timeMs"
              type="number"
              domain={["dataMin", "dataMax"]}
              minTickGap={40}
              tickFormatter={formatClock}
              {...timeAxis}
            />
            <YAxis
              orientation="right"
              domain={["auto", "auto"]}
              tickFormatter={(price: number) => price.toFixed(digits)}
              tick={timeAxis.tick}
              tickLine={false}
              axisLine={false}
              width={84}
            />
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <ReferenceArea x1={fromMs} x2={toMs} fill="var(--hatch)" fillOpacity={1} />
            {shown.map((name, index) => (
              <Line
                key={name}
                name={name}
                dataKey={({ bids }: (typeof points)[number]) => bids[index]}
                type="stepAfter"
                dot={false}
                activeDot={false}
                isAnimationActive={false}
                strokeWidth={index === 0 ? 2 : 1.25}
                strokeDasharray={index === 0 ? undefined : `${2 + 2 * index} 2`}
                stroke={colour(index)}
              />
            ))}
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="flex flex-wrap gap-x-4 text-xs12 text-dim">
        {shown.map((name, index) => (
          <span key={name} translate="no" className="inline-flex items-center gap-1.5">
            <svg aria-hidden width="18" height="4" viewBox="0 0 18 4">
              <path
                d="M0 2h18"
                style={{ stroke: colour(index) }}
                strokeWidth={index === 0 ? 2 : 1.25}
                strokeDasharray={index === 0 ? undefined : `${2 + 2 * index} 2`}
              />
            </svg>
            {name}
          </span>
        ))}
        <span>bids at the end of each second</span>
      </figcaption>
    </figure>
  );
}
