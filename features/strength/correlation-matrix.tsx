import { HeatTable } from "@/components/shared/heat-table";
import { Link } from "@/components/ui/link";
import type { StrengthData } from "@/features/strength/types";

/** How alike the seven pairs of one currency move. A cell leads to the pair of its row. */
export function CorrelationMatrix({ data: { pairs, timeframe }, of }: { data: StrengthData; of: string }) {
  const own = pairs.filter(({ base, quote }) => base === of || quote === of);
  return (
    <HeatTable
      caption={`Correlation of the pairs of ${of} over the last 120 ${timeframe} bars`}
      corner={<span className="sr-only">Pair</span>}
      headClassName="w-17"
      columns={own.map(({ symbol, base, quote }) => ({
        key: symbol,
        head: (
          <span className="text-2xs/3.5">
            {base}
            <wbr />
            {quote}
          </span>
        ),
      }))}
      rows={own.map((row) => ({
        key: row.symbol,
        head: (
          <Link href={`/symbols/${row.symbol}`} className="numerals inline-block py-1 hover:underline">
            {row.symbol}
          </Link>
        ),
        cells: own.map((column) => {
          if (column === row) return null;
          const value = row.correlations[pairs.indexOf(column)] ?? null;
          const text = formatCoefficient(value);
          return {
            text,
            heat: value,
            label: `${row.symbol} with ${column.symbol}: ${value === null ? "too few bars yet" : text}. Show ${row.symbol}`,
            href: `/symbols/${row.symbol}`,
          };
        }),
      }))}
    />
  );
}

/** Formats a coefficient: "0.87", "−0.12"; a dash for null. */
function formatCoefficient(value: number | null): string {
  if (value === null) return "–";
  const text = Math.abs(value).toFixed(2);
  return value < 0 && text !== "0.00" ? `−${text}` : text;
}
