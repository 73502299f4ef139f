"use client";

import { Bar, CartesianGrid, ComposedChart, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { computePriceTicks } from "@/components/shared/price-ticks";
import { createPriceAxis, timeAxis } from "@/components/ui/chart-axes";
import { HISTORY_PLOT_CLASS, TIP_CLASS } from "@/features/ticks/classes";
import { formatBarTime, formatDateTime } from "@/features/ticks/time-text";
import type { BarData, HistoryBar } from "@/features/ticks/types";

/** Candles side by side. Times without a bar take no space. */
export function CandleChart({ data }: { data: BarData }) {
  const { symbol, kind, digits, pipSize, bars } = data;
  const prices = computePriceTicks(
    bars.flatMap(({ low, high }) => [low, high]),
    pipSize,
  );
  const spanMs = (bars.at(-1)?.timeMs ?? 0) - (bars[0]?.timeMs ?? 0);
  return (
    <figure role="img" aria-label={`Candles of ${symbol}, ${kind}`} className={HISTORY_PLOT_CLASS}>
      <ResponsiveContainer width="100%" height="100%">
        <ComposedChart data={[...bars]} accessibilityLayer={false} margin={{ top: 6, right: 0, bottom: 0, left: 8 }}>
          <XAxis
            dataKey="timeMs"
            tickFormatter={(ms: number) => formatBarTime(ms, kind, spanMs)}
            minTickGap={48}
            {...timeAxis}
          />
          <YAxis {...createPriceAxis(prices, digits)} allowDataOverflow />
          <CartesianGrid vertical={false} stroke="var(--line)" />
          <Tooltip
            isAnimationActive={false}
            cursor={{ fill: "var(--hatch)" }}
            content={<CandleTip digits={digits} />}
          />
          <Bar
            dataKey={({ low, high }: HistoryBar) => [low, high]}
            isAnimationActive={false}
            maxBarSize={18}
            shape={Candle}
          />
        </ComposedChart>
      </ResponsiveContainer>
    </figure>
  );
}

interface CandleProps {
  x?: number;
  y?: number;
  width?: number;
  height?: number;
  payload?: HistoryBar;
}

/** A wick over the whole height, and a body between open and close. */
function Candle({ x = 0, y = 0, width = 0, height = 0, payload }: CandleProps) {
  if (payload === undefined) return null;
  const { open, high, low, close } = payload;
  const at = (price: number) => (high === low ? y : y + ((high - price) / (high - low)) * height);
  const top = at(Math.max(open, close));
  const bodyHeight = Math.max(1, at(Math.min(open, close)) - top);
  const colour = close >= open ? "var(--up)" : "var(--down)";
  const bodyWidth = Math.max(1, width * 0.8);
  const middle = x + width / 2;
  return (
    <g fill={colour}>
      <rect x={middle - 0.5} y={y} width={1} height={Math.max(1, height)} />
      <rect x={middle - bodyWidth / 2} y={top} width={bodyWidth} height={bodyHeight} />
    </g>
  );
}

interface TipProps {
  digits: number;
  active?: boolean;
  payload?: readonly { readonly payload?: HistoryBar }[];
}

function CandleTip({ digits, active, payload }: TipProps) {
  const bar = payload?.[0]?.payload;
  if (active !== true || bar === undefined) return null;
  const prices = [bar.open, bar.high, bar.low, bar.close].map((price) => price.toFixed(digits));
  return (
    <div className={TIP_CLASS}>
      <p>{formatDateTime(bar.timeMs)}</p>
      {["O", "H", "L", "C"].map((name, index) => (
        <p key={name}>
          {name} {prices[index]}
        </p>
      ))}
      <p>{bar.volume} updates</p>
    </div>
  );
}
