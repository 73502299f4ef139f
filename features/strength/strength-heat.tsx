import { HeatTable } from "@/components/shared/heat-table";
import type { StrengthData } from "@/features/strength/types";
import type { HeatmapTimeframe } from "@/lib/analytics/strength/heatmap-timeframes";

interface StrengthHeatProps {
  data: StrengthData;
  /** Strongest first at the chosen timeframe. */
  currencies: readonly string[];
  onTimeframe: (timeframe: HeatmapTimeframe) => void;
}

/** The strengths of eight currencies at four timeframes. A cell leads to the pair with the most distant currency. */
export function StrengthHeat({ data: { heat, timeframe: chosen }, currencies, onTimeframe }: StrengthHeatProps) {
  return (
    <HeatTable
      caption="Strength by currency and timeframe"
      rowClassName="h-9"
      headClassName="w-13"
      columns={heat.map(({ timeframe }) => ({
        key: timeframe,
        head: (
          <button
            type="button"
            aria-current={timeframe === chosen ? "true" : undefined}
            title={`Show ${timeframe} in full`}
            onClick={() => onTimeframe(timeframe)}
            className={`h-6 w-full rounded-sm text-xs12 hover:text-ink ${timeframe === chosen ? "font-semibold text-ink underline decoration-accent decoration-2 underline-offset-4" : "text-dim"}`}
          >
            {timeframe}
          </button>
        ),
      }))}
      rows={currencies.map((currency) => ({
        key: currency,
        head: <span className="numerals">{currency}</span>,
        cells: heat.map(({ timeframe, cells }) => {
          const cell = cells?.[currency];
          if (cell === undefined) {
            return { text: "–", heat: null, label: `${currency} on ${timeframe}: too few bars yet` };
          }
          const text = cell.strength.toFixed(2);
          return {
            text,
            heat: (cell.strength - 5) / 5,
            label: `${currency} on ${timeframe}: ${text}. Show ${cell.symbol}`,
            href: `/symbols/${cell.symbol}`,
          };
        }),
      }))}
    />
  );
}
