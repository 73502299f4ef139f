import { formatSummary, summariseMoves } from "@/features/calendar/detail/move-text";
import type { PairMoves } from "@/features/calendar/detail/types";
import type { Move } from "@/lib/calendar/measure-move";

const WIDTH = 360;
const HEIGHT = 120;
/** Fewer moves have no median worth a sentence. */
const LEAST_SUMMARISED = 3;

/** Returns the drawn path of a move: a line that breaks where no price is stored. `scale` is in pips from the middle. */
export function drawPath({ path }: Move, scale: number, width: number, height: number): string {
  const step = width / (path.length - 1);
  let isBroken = true;
  return path
    .map((pips, index) => {
      if (pips === null) {
        isBroken = true;
        return "";
      }
      const place = `${(index * step).toFixed(1)} ${(((scale - pips) / (2 * scale)) * height).toFixed(1)}`;
      const command = isBroken ? "M" : "L";
      isBroken = false;
      return `${command}${place}`;
    })
    .join("");
}

/** Returns the farthest of some moves from the price before the release, in pips; at least one. */
export function getScale(moves: readonly Move[]): number {
  return Math.max(1, ...moves.flatMap(({ path }) => path.map((pips) => Math.abs(pips ?? 0))));
}

/** All moves of a pair around the same moment, the newest stressed, and their medians in words. */
export function MoveChart({ symbol, moves }: PairMoves) {
  const known = moves.flatMap(({ move }) => move ?? []);
  const summary = summariseMoves(known);
  const [newest] = known;
  if (summary === null || newest === undefined) {
    return (
      <p className="text-dim">
        {moves.length === 0 ? "Nothing was released yet." : `No prices of ${symbol} are stored around these releases.`}
      </p>
    );
  }
  const scale = getScale(known);
  return (
    <figure aria-label={`${symbol} around the releases`}>
      <div className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-2 text-2xs text-faint tabular-nums">
        <div className="flex flex-col justify-between text-right">
          <span>+{scale.toFixed(0)}</span>
          <span>0</span>
          <span>−{scale.toFixed(0)}</span>
        </div>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="block h-30 w-full" aria-hidden>
          <line x1="0" x2={WIDTH} y1={HEIGHT / 2} y2={HEIGHT / 2} className="stroke-line" />
          <line x1={WIDTH / 2} x2={WIDTH / 2} y1="0" y2={HEIGHT} className="stroke-edge" strokeDasharray="3 3" />
          {known.toReversed().map((move, index) => (
            <path
              key={index}
              d={drawPath(move, scale, WIDTH, HEIGHT)}
              fill="none"
              vectorEffect="non-scaling-stroke"
              className={move === newest ? "stroke-accent-ink stroke-2" : "stroke-faint opacity-60"}
            />
          ))}
        </svg>
        <span />
        <div className="flex justify-between">
          <span>−30 min</span>
          <span>release</span>
          <span>+30 min</span>
        </div>
      </div>
      <figcaption className="mt-1.5 text-xs12 text-dim">
        {known.length >= LEAST_SUMMARISED && formatSummary(symbol, summary)}{" "}
        <span className="text-faint">
          {known.length} of {moves.length} releases have stored prices. The strong line is the newest of them.
        </span>
      </figcaption>
    </figure>
  );
}
