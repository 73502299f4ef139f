import { GAP_MS } from "@/lib/history/import/import-report";
import type { SeriesSummary } from "@/lib/history/import/import-summary";
import { HOUR_MS, MINUTE_MS } from "@/lib/time/units";

const WIDTH = 600;
const HEIGHT = 120;

/** The line is broken by pauses of the length of a gap that have an empty stretch. */
const MOST_STEPS_JOINED = 1.5;

/** The prices of a series as they will be stored: from the lowest to the highest bid of each stretch, and the last. */
export function PriceChart({ series }: { series: SeriesSummary }) {
  const { shape, digits, symbol } = series;
  if (shape === null || shape.points.length === 0) return null;
  const { points, stepMs } = shape;
  const first = points[0]?.[0] ?? 0;
  const last = (points.at(-1)?.[0] ?? 0) + stepMs;
  const low = Math.min(...points.map((point) => point[1]));
  const high = Math.max(...points.map((point) => point[2]));
  const x = (timeMs: number) => round(((timeMs + stepMs / 2 - first) / (last - first)) * WIDTH);
  const y = (price: number) => round(high === low ? HEIGHT / 2 : ((high - price) / (high - low)) * HEIGHT);
  const ranges = points.map(([timeMs, from, to]) => `M${x(timeMs)} ${y(to)}V${y(from)}`).join("");
  const mostJoinedMs = Math.max(GAP_MS, MOST_STEPS_JOINED * stepMs);
  const line = points
    .map(([timeMs, , , close], at) => {
      const before = points[at - 1]?.[0] ?? -Infinity;
      return `${timeMs - before > mostJoinedMs ? "M" : "L"}${x(timeMs)} ${y(close)}`;
    })
    .join("");
  const times = `${formatTime(first, stepMs)} to ${formatTime(last, stepMs)}`;
  const [lowest, highest] = [low.toFixed(digits), high.toFixed(digits)];
  return (
    <figure>
      <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-2">
        <svg
          viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
          preserveAspectRatio="none"
          role="img"
          className="block h-32 w-full border-y border-line"
          aria-label={`Prices of ${symbol} as they will be stored, ${times}: lowest ${lowest}, highest ${highest}`}
        >
          <path
            d={ranges}
            stroke="var(--edge)"
            strokeWidth="2"
            strokeLinecap="round"
            vectorEffect="non-scaling-stroke"
          />
          <path
            d={line}
            fill="none"
            stroke="var(--accent-ink)"
            strokeWidth="1.5"
            strokeLinecap="round"
            strokeLinejoin="round"
            vectorEffect="non-scaling-stroke"
          />
        </svg>
        <p aria-hidden className="numerals flex flex-col justify-between text-xs11 text-dim">
          <span>{highest}</span>
          <span>{lowest}</span>
        </p>
        <p aria-hidden className="flex justify-between pt-1 text-xs11 text-faint tabular-nums">
          <span>{formatTime(first, stepMs)}</span>
          <span>{formatTime(last, stepMs)}</span>
        </p>
      </div>
    </figure>
  );
}

const round = (value: number) => Math.round(value * 10) / 10;

/** The day; the time as well where stretches are shorter than an hour, to the second where they are seconds. */
function formatTime(timeMs: number, stepMs: number): string {
  const iso = new Date(timeMs).toISOString();
  if (stepMs >= HOUR_MS) return iso.slice(0, 10);
  return `${iso.slice(0, 10)} ${iso.slice(11, stepMs < MINUTE_MS ? 19 : 16)} UTC`;
}
