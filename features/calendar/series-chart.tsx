import type { SeriesPoint } from "@/features/calendar/types";

const WIDTH = 480;
const HEIGHT = 96;
const PAD = 8;

/** A series' released figures as bars, its forecasts as lines across them, and the latest figures as a list. */
export function SeriesChart({ points }: { points: readonly SeriesPoint[] }) {
  const values = points.flatMap(({ actual, forecast }) => [actual ?? 0, forecast ?? actual ?? 0]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Bars that start at zero would all look alike for figures far from it.
  const floor = low > 0 && low > (high - low) * 2 ? low - (high - low || 1) * 0.5 : Math.min(0, low);
  const top = Math.max(high, floor + 1e-9);
  const y = (value: number) => HEIGHT - PAD - ((value - floor) / (top - floor || 1)) * (HEIGHT - 2 * PAD);
  const base = y(Math.max(floor, Math.min(0, top)));
  const step = Math.min(28, WIDTH / points.length);
  return (
    <figure aria-label="Released figures" className="flex flex-wrap items-end gap-x-6 gap-y-3">
      <svg
        className="max-w-full"
        viewBox={`0 0 ${Math.max(step * points.length, 120)} ${HEIGHT}`}
        height={HEIGHT}
        aria-hidden
      >
        <line x1="0" x2={step * points.length} y1={base} y2={base} className="stroke-edge" />
        {points.map(({ timeMs, actual, forecast }, index) => (
          <g key={timeMs}>
            <rect
              x={index * step + step * 0.2}
              y={Math.min(y(actual ?? 0), base)}
              width={step * 0.6}
              height={Math.max(1, Math.abs(y(actual ?? 0) - base))}
              className="fill-faint"
            />
            {forecast !== null && (
              <line
                x1={index * step + step * 0.05}
                x2={index * step + step * 0.95}
                y1={y(forecast)}
                y2={y(forecast)}
                className="stroke-accent-ink stroke-2"
              />
            )}
          </g>
        ))}
      </svg>
      <figcaption className="text-xs12">
        <ol className="mb-1 flex flex-wrap gap-x-4 gap-y-1">
          {points.slice(-6).map(({ timeMs, text }) => (
            <li key={timeMs}>
              <time dateTime={new Date(timeMs).toISOString()} className="text-faint">
                {new Date(timeMs).toISOString().slice(0, 10)}
              </time>{" "}
              <span className="numerals">{text}</span>
            </li>
          ))}
        </ol>
        <span className="text-faint">Bars show released figures; lines show forecasts.</span>
      </figcaption>
    </figure>
  );
}
