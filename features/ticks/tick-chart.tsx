"use client";

import { CartesianGrid, ComposedChart, Line, ReferenceArea, ResponsiveContainer, XAxis, YAxis } from "recharts";
import { priceTicks } from "@/components/shared/price-ticks";
import { priceAxis, timeAxis } from "@/components/ui/chart-axes";
import { minuteText } from "@/features/ticks/time-text";
import type { TickSheet } from "@/features/ticks/types";

const TEN_MINUTES_MS = 600_000;

/** The ticks, and an empty point where a hole begins: over a minute without a price, no line pretends to know it. */
function drawn({ ticks, gaps }: TickSheet) {
  const points: { timeMs: number; bid: number | null; ask: number | null }[] = [
    ...ticks.map(([timeMs, bid, ask]) => ({ timeMs, bid, ask })),
    ...gaps.map(([timeMs]) => ({ timeMs, bid: null, ask: null })),
  ];
  return points.sort((a, b) => a.timeMs - b.timeMs);
}

/** Bid and ask of an hour. Steps, since between two ticks nothing is known; holes of a minute or more are shaded. */
export function TickChart({ sheet }: { sheet: TickSheet }) {
  const { symbol, digits, pipSize, fromMs, toMs, ticks, gaps } = sheet;
  const prices = priceTicks(
    ticks.flatMap(([, bid, ask]) => [bid, ask]),
    pipSize,
  );
  const firstMs = Math.ceil(fromMs / TEN_MINUTES_MS) * TEN_MINUTES_MS;
  const times = Array.from({ length: 7 }, (_, index) => firstMs + index * TEN_MINUTES_MS).filter((ms) => ms <= toMs);
  const line = { type: "stepAfter", dot: false, activeDot: false, isAnimationActive: false, strokeWidth: 1 } as const;
  return (
    <figure className="grid gap-1">
      <div role="img" aria-label={`Bid and ask of ${symbol}, second by second`} className="history-plot">
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart
            data={drawn(sheet)}
            accessibilityLayer={false}
            margin={{ top: 6, right: 0, bottom: 0, left: 8 }}
          >
            <XAxis
              dataKey="timeMs"
              type="number"
              domain={[fromMs, toMs]}
              ticks={times}
              tickFormatter={minuteText}
              {...timeAxis}
            />
            <YAxis {...priceAxis(prices, digits)} />
            <CartesianGrid vertical={false} stroke="var(--line)" />
            {gaps.map(([gapFromMs, gapToMs]) => (
              <ReferenceArea key={gapFromMs} x1={gapFromMs} x2={gapToMs} fill="var(--hatch)" fillOpacity={1} />
            ))}
            <Line dataKey="ask" {...line} stroke="var(--dim)" />
            <Line dataKey="bid" {...line} stroke="var(--accent-ink)" />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="history-legend">
        <span data-side="ask">Ask</span>
        <span data-side="bid">Bid</span>
      </figcaption>
    </figure>
  );
}
