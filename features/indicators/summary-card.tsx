import { SignalMark } from "@/features/indicators/signal-mark";
import type { IndicatorData, IndicatorSummary } from "@/features/indicators/types";

interface SummaryCardProps {
  data: IndicatorData;
  /** Closed bars that a summary needs. */
  neededBars: number;
}

/** The direction of trend and momentum together, and the levels around the price. */
export function SummaryCard({ data: { bars, quote, summary }, neededBars }: SummaryCardProps) {
  return (
    <section
      aria-labelledby="summary-title"
      className="grid gap-3.5 rounded-lg border border-line bg-panel px-4 pt-3.5 pb-4 text-xs13 max-wide:col-span-full"
    >
      <h2 id="summary-title" className="text-xs12 text-faint">
        Summary
      </h2>
      {summary === null ? (
        <p className="text-dim">
          {quote === null ? "No quote yet." : `A summary needs ${neededBars} closed bars; there are ${bars} so far.`}
        </p>
      ) : (
        <SummaryBody summary={summary} />
      )}
    </section>
  );
}

function SummaryBody({ summary }: { summary: IndicatorSummary }) {
  const { bias, isStrong, confidencePercent, volatility, volume, resistance, support, observations } = summary;
  return (
    <>
      <p className="grid gap-1">
        <SignalMark signal={bias} isLarge />
        <span className="text-dim">
          {isStrong ? "strong" : "normal"} · confidence {confidencePercent} %
        </span>
      </p>
      <dl>
        <Score name="Trend" value={summary.trendScore} min={-100} />
        <Score name="Momentum" value={summary.momentumScore} min={-100} />
        <Score name="Volatility" value={summary.volatilityScore} min={0} word={volatility} />
        <div className={LINE_CLASS}>
          <dt className="text-dim">Volume</dt>
          <dd>{volume}</dd>
        </div>
      </dl>
      <dl>
        <Levels name="Resistance" prices={resistance} />
        <Levels name="Support" prices={support} />
      </dl>
      <ul className="grid gap-1.5 border-t border-line pt-3 text-dim">
        {observations.map((observation) => (
          <li key={observation}>{observation}</li>
        ))}
      </ul>
    </>
  );
}

const LINE_CLASS = "grid min-h-6 grid-cols-[5.5rem_minmax(0,1fr)] items-center";
const CENTRE_MARK =
  "after:absolute after:-inset-y-0.5 after:left-1/2 after:border-l after:border-faint after:content-['']";

function Score({ name, value, min, word }: { name: string; value: number; min: 0 | -100; word?: string }) {
  const from = min === 0 ? 0 : 50;
  const to = (100 * (value - min)) / (100 - min);
  return (
    <div className={LINE_CLASS}>
      <dt className="text-dim">{name}</dt>
      <dd className="flex items-center gap-2.5">
        <span aria-hidden className={`relative h-[5px] w-24 rounded-sm bg-line ${min === 0 ? "" : CENTRE_MARK}`}>
          <span
            className={`absolute inset-y-0 rounded-sm ${min === 0 || value === 0 ? "bg-dim" : value > 0 ? "bg-up" : "bg-down"}`}
            style={{ left: `${Math.min(from, to)}%`, width: `${Math.abs(to - from)}%` }}
          />
        </span>
        <span className="numerals">{min !== 0 && value > 0 ? `+${value}` : value}</span>
        {word !== undefined && <span className="text-dim"> {word}</span>}
      </dd>
    </div>
  );
}

function Levels({ name, prices }: { name: string; prices: readonly string[] }) {
  return (
    <div className={LINE_CLASS}>
      <dt className="text-dim">{name}</dt>
      <dd className="numerals whitespace-pre-wrap">
        {prices.length === 0 ? <span className="font-sans text-faint">none nearby</span> : prices.join("  ")}
      </dd>
    </div>
  );
}
