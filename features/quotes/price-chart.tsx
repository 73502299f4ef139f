"use client";

import { Area, CartesianGrid, ComposedChart, Line, ResponsiveContainer, XAxis, YAxis } from "recharts";
import { ChartKey, computePriceTicks } from "@/components/shared/chart-parts";
import { useMarketTime } from "@/components/shared/market-clock";
import { createPriceAxis, PLOT_CLASS, timeAxis } from "@/components/ui/chart-axes";
import { type PricePoint, usePriceHistory } from "@/features/quotes/price-history";
import type { BoardInstrument } from "@/features/quotes/types";
import { MINUTE_MS } from "@/lib/time/units";

const WINDOW_MS = 5 * MINUTE_MS;
/** The shortest window, so that the first ticks of a new page are not stretched over the whole chart. */
const LEAST_MS = MINUTE_MS;

function listMinutes(fromMs: number, toMs: number): number[] {
  const first = Math.ceil(fromMs / MINUTE_MS);
  return Array.from(
    { length: Math.max(0, Math.floor(toMs / MINUTE_MS) - first + 1) },
    (_, index) => (first + index) * MINUTE_MS,
  );
}

/** The points of the window that ends now. The last price holds until its end. */
function toDrawnPoints(points: readonly PricePoint[], nowMs: number) {
  const last = points.at(-1);
  const list = last === undefined || last.timeMs >= nowMs ? points : [...points, { ...last, timeMs: nowMs }];
  return list.map(({ timeMs, bid, ask }) => ({ timeMs, bid, ask, spread: bid === null ? null : [bid, ask] }));
}

/** Bid and ask of one symbol since the page was opened. Drawn as steps, because a price holds until the next tick. */
export function PriceChart({ instrument, className }: { instrument: BoardInstrument; className: string }) {
  const { symbol, digits, pipSize } = instrument;
  const history = usePriceHistory();
  const nowMs = useMarketTime((ms) => ms);
  const points = toDrawnPoints(history.read(symbol), nowMs);
  const fromMs = Math.max(nowMs - WINDOW_MS, Math.min(points[0]?.timeMs ?? nowMs, nowMs - LEAST_MS));
  const prices = computePriceTicks(
    points.flatMap(({ bid, ask }) => (bid === null || ask === null ? [] : [bid, ask])),
    pipSize,
  );
  const line = {
    type: "stepAfter",
    dot: false,
    activeDot: false,
    isAnimationActive: false,
    strokeWidth: 1.25,
  } as const;
  return (
    <figure className={className}>
      <div
        role="img"
        translate="no"
        aria-label={`Bid and ask of ${symbol} since you opened this page`}
        className={`min-h-0 flex-1 ${PLOT_CLASS}`}
      >
        <ResponsiveContainer width="100%" height="100%">
          <ComposedChart data={points} accessibilityLayer={false} margin={{ top: 6, right: 0, bottom: 0, left: 8 }}>
            <XAxis
              dataKey="timeMs"
              type="number"
              domain={[fromMs, nowMs]}
              ticks={listMinutes(fromMs, nowMs)}
              tickFormatter={(ms: number) => new Date(ms).toISOString().slice(11, 16)}
              allowDataOverflow
              interval={0}
              {...timeAxis}
            />
            <YAxis {...createPriceAxis(prices, digits)} />
            <CartesianGrid vertical={false} stroke="var(--line)" />
            <Area dataKey="spread" {...line} stroke="none" fill="var(--hatch)" fillOpacity={1} />
            <Line dataKey="ask" {...line} stroke="var(--dim)" />
            <Line dataKey="bid" {...line} stroke="var(--accent-ink)" />
          </ComposedChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="flex gap-4 pl-2 text-xs11 text-faint">
        <ChartKey side="ask">Ask</ChartKey>
        <ChartKey side="bid">Bid</ChartKey>
        <span>Since you opened this page, at most 5 minutes</span>
      </figcaption>
    </figure>
  );
}
