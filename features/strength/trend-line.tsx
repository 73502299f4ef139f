const [WIDTH, HEIGHT] = [96, 28];
const HIGHEST = 10;

/** A small line of strengths from 0 to 10, with the middle dashed. */
export function TrendLine({ values, label }: { values: readonly number[]; label: string }) {
  if (values.length < 2) return <span className="text-faint">–</span>;
  const x = (index: number) => (index / (values.length - 1)) * WIDTH;
  const y = (value: number) => 1 + (1 - value / HIGHEST) * (HEIGHT - 2);
  const points = values.map((value, index) => `${x(index).toFixed(1)},${y(value).toFixed(1)}`).join(" ");
  const [first, last] = [values[0] as number, values.at(-1) as number];
  return (
    <svg
      role="img"
      aria-label={`${label}: from ${first.toFixed(2)} to ${last.toFixed(2)}`}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      className="inline-block h-7 w-24 align-middle"
      fill="none"
    >
      <line x1={0} x2={WIDTH} y1={y(5)} y2={y(5)} stroke="var(--edge)" strokeDasharray="2 3" />
      <polyline points={points} stroke="var(--dim)" strokeWidth={1.25} strokeLinejoin="round" />
      <circle cx={WIDTH - 2} cy={y(last)} r={2} fill={last >= 5 ? "var(--up)" : "var(--down)"} />
    </svg>
  );
}
