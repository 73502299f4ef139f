import { SignalMark } from "@/features/indicators/signal-mark";
import type { IndicatorSheet, SheetSummary } from "@/features/indicators/types";

/** The least a summary is made from; told where there are fewer. */
interface SummaryCardProps {
  sheet: IndicatorSheet;
  neededBars: number;
}

/** Where trend and momentum point together, and what lies around the price. */
export function SummaryCard({ sheet: { bars, quote, summary }, neededBars }: SummaryCardProps) {
  return (
    <section aria-labelledby="summary-title" className="summary-card">
      <h2 id="summary-title">Summary</h2>
      {summary === null ? (
        <p className="text-dim">
          {quote === null
            ? "Nothing has been quoted yet."
            : `Too little history: a summary needs ${neededBars} closed bars, and there are ${bars}.`}
        </p>
      ) : (
        <Summed summary={summary} />
      )}
    </section>
  );
}

function Summed({ summary }: { summary: SheetSummary }) {
  const { bias, isStrong, confidencePercent, volatility, volume, resistance, support, observations } = summary;
  return (
    <>
      <p className="summary-bias">
        <SignalMark signal={bias} />
        <span className="text-dim">
          {isStrong ? "strong" : "normal"} · confidence {confidencePercent} %
        </span>
      </p>
      <dl className="summary-scores">
        <Score name="Trend" value={summary.trendScore} min={-100} />
        <Score name="Momentum" value={summary.momentumScore} min={-100} />
        <Score name="Volatility" value={summary.volatilityScore} min={0} word={volatility} />
        <div>
          <dt>Volume</dt>
          <dd>{volume}</dd>
        </div>
      </dl>
      <dl className="summary-levels">
        <Levels name="Resistance" prices={resistance} />
        <Levels name="Support" prices={support} />
      </dl>
      <ul className="summary-observations">
        {observations.map((observation) => (
          <li key={observation}>{observation}</li>
        ))}
      </ul>
    </>
  );
}

function Score({ name, value, min, word }: { name: string; value: number; min: 0 | -100; word?: string }) {
  const from = min === 0 ? 0 : 50;
  const to = (100 * (value - min)) / (100 - min);
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span aria-hidden className="score-track" data-centred={min !== 0 || undefined}>
          <span
            className="score-fill"
            data-side={min === 0 ? undefined : value > 0 ? "up" : value < 0 ? "down" : undefined}
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
    <div>
      <dt>{name}</dt>
      <dd className="numerals">
        {prices.length === 0 ? <span className="font-sans text-faint">none near by</span> : prices.join("  ")}
      </dd>
    </div>
  );
}
