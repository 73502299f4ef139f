import { type Column, Table } from "@/components/ui/table";
import { NothingHere, Part, SymbolLink } from "@/features/overview/part";
import type { MarketSummary, OverviewData, WideSpread } from "@/features/overview/types";

const COLUMNS: readonly Column<WideSpread>[] = [
  { heading: "Symbol", cell: ({ symbol }) => <SymbolLink symbol={symbol} /> },
  {
    heading: "Pips now",
    isNumeric: true,
    cellClassName: "numerals text-warn",
    cell: ({ pips }) => pips.toFixed(1),
  },
  {
    heading: "Usual up to",
    tip: "95 % of the last seven days were no wider",
    isNumeric: true,
    cellClassName: "numerals text-dim",
    cell: ({ usual }) => usual.toFixed(1),
  },
  {
    heading: "Above",
    tip: "How much wider the spread is now",
    isNumeric: true,
    cellClassName: "numerals",
    cell: ({ pips, usual }) => `+${Math.round((pips / usual - 1) * 100)} %`,
  },
];

/** The spreads that are wider than in 95 % of the last seven days. */
export function SpreadsPanel({ market, usual }: { market: MarketSummary; usual: OverviewData["usual"] }) {
  const known = usual === null ? 0 : Object.keys(usual).length;
  return (
    <Part
      id="overview-spreads"
      title="Wide spreads"
      href="/spreads"
      note={known === 0 ? undefined : `${market.wideCount} of ${market.moving} symbols`}
    >
      {/* As high as with all its rows: their number changes every second. */}
      <div className="min-h-49">
        {market.wide.length > 0 ? (
          <Table
            look="plain"
            caption="Spreads wider than usual"
            className="w-full text-xs13"
            cellClassName="h-7"
            columns={COLUMNS}
            rows={market.wide}
            getKey={({ symbol }) => symbol}
          />
        ) : (
          <NothingHere>{explainNone(market, usual === null ? null : known)}</NothingHere>
        )}
      </div>
    </Part>
  );
}

function explainNone({ moving }: MarketSummary, known: number | null): string {
  if (known === null) return "The usual spreads of the last seven days are being computed.";
  if (known === 0) return "A usual spread needs an hour of recorded prices.";
  return moving === 0 ? "No price is live now." : "No spread is wider than usual.";
}
