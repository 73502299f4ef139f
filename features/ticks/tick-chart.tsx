"use client";

import { CartesianGrid, ComposedChart, Line, ReferenceArea, ResponsiveContainer, XAxis, YAxis } from "recharts";
import { ChartKey, computePriceTicks } from "@/components/shared/chart-parts";
import { createPriceAxis, timeAxis } from "@/components/ui/chart-axes";
import { formatMinute, HISTORY_PLOT_CLASS } from "@/features/ticks/classes";
import type { TickData } from "@/features/ticks/data";

const TEN_MINUTES_MS = 600_000;

/** The ticks, and an empty point where a gap starts, so that no line crosses a minute without a price. */
function getPoints({ ticks, gaps }: TickData) {
  const points: { timeMs: number; bid: number | null; ask: number | null }[] = [
    ...ticks.map(([timeMs, bid, ask]) => ({ timeMs, bid, ask })),
    ...gaps.map(([timeMs]) => ({ timeMs, bid: null, ask: null })),
  ];
  return points.sort((a, b) => a.timeMs - b.timeMs);
}

/** Bid and ask of an hour. Drawn as steps; gaps of a minute or more are shaded. */
export function TickChart({ data }: { data: TickData }) {
  const { symbol, digits, pipSize, fromMs, toMs, ticks, gaps } = data;
  const prices = computePriceTicks(
    ticks.flatMap(([, bid, ask]) => [bid, ask]),
    pipSize,
  );
  const firstMs = Math.ceil(fromMs / TEN_MINUTES_MS) * TEN_MINUTES_MS;
  const times = Array.from({ length: 7 }, (_, index) => firstMs + index * TEN_MINUTES_MS).filter((ms) => ms <= toMs);
  const line = { type: "stepAfter", dot: false, activeDot: false, isAnimationActive: false, strokeWidth: 1 } as const;
  return (
    <figure className="grid gap-1">
      <div
        role="img"
        translate="no"
        aria-label={`Bid and ask of ${symbol}, second by second`}
        className={HISTORY_PLOT_CLASS}
      >
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart
            data={getPoints(data)}
            accessibilityLayer={false}
            margin={{ top: 6, right: 0, bottom: 0, left: 8 }}
          >
            <XAxis
              dataKey="timeMs"
              type="number"
              domain={[fromMs, toMs]}
              ticks={times}
              tickFormatter={formatMinute}
              {...timeAxis}
            />
            <YAxis {...createPriceAxis(prices, digits)} />
            <CartesianGrid vertical={false} stroke="var(--line)" />
            {gaps.map(([gapFromMs, gapToMs]) => (
              <ReferenceArea key={gapFromMs} x1={gapFromMs} x2={gapToMs} fill="var(--hatch)" fillOpacity={1} />
            ))}
            <Line dataKey="ask" {...line} stroke="var(--dim)" />
            <Line dataKey="bid" {...line} stroke="var(--accent-ink)" />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="flex gap-4 text-xs12 text-dim">
        <ChartKey side="ask">Ask</ChartKey>
        <ChartKey side="bid">Bid</ChartKey>
      </figcaption>
    </figure>
  );
}
