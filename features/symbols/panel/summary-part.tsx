import { PanelLine, PanelPart } from "@/features/symbols/panel/panel-part";
import type { SummaryFigures } from "@/features/symbols/panel/panel-types";
import type { Timeframe } from "@/lib/market/timeframe";

const BIAS_MARKS: Readonly<Record<SummaryFigures["bias"], readonly [mark: string, colour: string]>> = {
  bullish: ["▲", "text-up"],
  bearish: ["▼", "text-down"],
  neutral: ["–", "text-dim"],
  overbought: ["▲", "text-warn"],
  oversold: ["▼", "text-warn"],
};

interface SummaryPartProps {
  symbol: string;
  digits: number;
  timeframe: Timeframe;
  summary: SummaryFigures | null;
}

/** The indicators' summary of the chart's timeframe, as the page of indicators has it. */
export function SummaryPart({ symbol, digits, timeframe, summary }: SummaryPartProps) {
  const [mark, colour] = BIAS_MARKS[summary?.bias ?? "neutral"];
  const levels = (prices: readonly number[]) => prices.map((price) => price.toFixed(digits)).join(" · ") || "–";
  return (
    <PanelPart
      id="summary-title"
      title={`Indicators, ${timeframe}`}
      href={`/indicators?symbol=${symbol}&timeframe=${timeframe}`}
      linkText="All readings"
    >
      {summary === null ? (
        <p className="min-h-30 text-xs13 text-dim">No summary: too few bars have closed.</p>
      ) : (
        <dl className="min-h-30">
          <PanelLine name="Bias">
            <span className={colour}>
              <span aria-hidden>{mark} </span>
              {summary.isStrong && "strong "}
              {summary.bias}
            </span>
            <span className="ml-2 text-xs12 text-dim">confidence {summary.confidencePercent} %</span>
          </PanelLine>
          <PanelLine name="Trend">
            <span className="numerals">{summary.trendScore}</span>
          </PanelLine>
          <PanelLine name="Momentum">
            <span className="numerals">{summary.momentumScore}</span>
          </PanelLine>
          <PanelLine name="Resistance">
            <span className="numerals text-xs12">{levels(summary.resistance)}</span>
          </PanelLine>
          <PanelLine name="Support">
            <span className="numerals text-xs12">{levels(summary.support)}</span>
          </PanelLine>
        </dl>
      )}
    </PanelPart>
  );
}
