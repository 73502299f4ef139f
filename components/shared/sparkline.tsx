import { formatDecimal } from "@/lib/text/text";

const HEIGHT = 48;

/** A minute of numbers as bars that start at zero. The highest is also written out. */
export function Sparkline({ values, label }: { values: readonly number[]; label: string }) {
  const highest = Math.max(...values, 0);
  return (
    <figure>
      <svg
        viewBox={`0 0 ${values.length} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        className="block h-12 w-full border-b border-line fill-accent"
        aria-label={`${label}: at most ${formatDecimal(highest)}`}
      >
        {values.map((value, at) => {
          const height = highest === 0 ? 0 : Math.max(value > 0 ? 1 : 0, (value / highest) * HEIGHT);
          return <rect key={at} x={at + 0.1} y={HEIGHT - height} width={0.8} height={height} />;
        })}
      </svg>
      <figcaption className="flex justify-between text-xs11 text-faint tabular-nums">
        <span>a minute ago</span>
        <span>peak {formatDecimal(highest)}</span>
        <span>now</span>
      </figcaption>
    </figure>
  );
}
