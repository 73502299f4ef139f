import { formatCount } from "@/lib/text/text";

interface CallBar {
  /** The time of the bar in words. */
  readonly name: string;
  readonly answered: number;
  readonly refused: number;
}

interface CallBarsProps {
  /** What is counted: "Calls of the last 24 hours". */
  label: string;
  bars: readonly CallBar[];
  className: string;
}

const HEIGHT = 48;

/** Calls over time as bars from zero: answered ones, and the others on top of them. */
export function CallBars({ label, bars, className }: CallBarsProps) {
  const highest = Math.max(...bars.map(({ answered, refused }) => answered + refused), 1);
  const scale = (calls: number) => (calls === 0 ? 0 : Math.max(1, (calls / highest) * (HEIGHT - 1)));
  const sum = (pick: (bar: CallBar) => number) => formatCount(bars.reduce((total, bar) => total + pick(bar), 0));
  return (
    <svg
      viewBox={`0 0 ${bars.length} ${HEIGHT}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label}: ${sum(({ answered }) => answered)} answered, ${sum(({ refused }) => refused)} refused`}
      className={`block border-b border-line ${className}`}
    >
      {bars.map(({ name, answered, refused }, at) => {
        const [low, high] = [scale(answered), scale(refused)];
        return (
          <g key={name}>
            <title>{`${name}: ${formatCount(answered)} answered, ${formatCount(refused)} refused`}</title>
            <rect x={at} y={0} width={1} height={HEIGHT} className="fill-transparent hover:fill-hover" />
            <rect x={at + 0.12} y={HEIGHT - low} width={0.76} height={low} className="pointer-events-none fill-note" />
            <rect
              x={at + 0.12}
              y={HEIGHT - low - high}
              width={0.76}
              height={high}
              className="pointer-events-none fill-warn"
            />
          </g>
        );
      })}
    </svg>
  );
}
