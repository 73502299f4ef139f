import type { PastRelease } from "@/features/calendar/detail/types";

const WIDTH = 480;
const HEIGHT = 120;
const PAD = 8;

/** A series' released figures as bars and its forecasts as lines across them. `releases` are newest first. */
export function FigureChart({ releases }: { releases: readonly PastRelease[] }) {
  const points = releases.filter(({ value }) => value !== null).reverse();
  const values = points.flatMap(({ value, expected }) => [value ?? 0, expected ?? value ?? 0]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  // Bars that start at zero would all look alike for figures far from it.
  const floor = low > 0 && low > (high - low) * 2 ? low - (high - low || 1) * 0.5 : Math.min(0, low);
  const top = Math.max(high, floor + 1e-9);
  const y = (value: number) => HEIGHT - PAD - ((value - floor) / (top - floor || 1)) * (HEIGHT - 2 * PAD);
  const base = y(Math.max(floor, Math.min(0, top)));
  const step = Math.min(28, WIDTH / points.length);
  const newest = points.at(-1);
  return (
    <figure aria-label="Released figures">
      <svg
        className="h-30 max-w-full"
        viewBox={`0 0 ${Math.max(step * points.length, 120)} ${HEIGHT}`}
        preserveAspectRatio="xMinYMid meet"
        aria-hidden
      >
        <line x1="0" x2={step * points.length} y1={base} y2={base} className="stroke-edge" />
        {points.map(({ id, value, expected }, index) => (
          <g key={id}>
            <rect
              x={index * step + step * 0.2}
              y={Math.min(y(value ?? 0), base)}
              width={step * 0.6}
              height={Math.max(1, Math.abs(y(value ?? 0) - base))}
              className={id === newest?.id ? "fill-dim" : "fill-faint"}
            />
            {expected !== null && (
              <line
                x1={index * step + step * 0.05}
                x2={index * step + step * 0.95}
                y1={y(expected)}
                y2={y(expected)}
                className="stroke-accent-ink stroke-2"
              />
            )}
          </g>
        ))}
      </svg>
      <figcaption className="mt-1.5 text-xs12 text-faint">
        Bars show released figures, lines forecasts; the newest is at the right.
      </figcaption>
    </figure>
  );
}
