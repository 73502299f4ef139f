import { HeatTable } from "@/components/shared/heat-table";
import type { StrengthData } from "@/features/strength/types";

interface PairMatrixProps {
  data: StrengthData;
  /** Strongest first, so that gains gather in the upper right. */
  currencies: readonly string[];
}

/** The move of each currency against each other one. A cell leads to the pair. */
export function PairMatrix({ data: { pairs, timeframe }, currencies }: PairMatrixProps) {
  const largest = Math.max(...pairs.map(({ move }) => Math.abs(move ?? 0)));
  const head = (currency: string) => <span className="numerals">{currency}</span>;
  return (
    <HeatTable
      caption={`Moves of the pairs over twelve ${timeframe} bars, in percent`}
      corner={<span className="sr-only">Currency</span>}
      columns={currencies.map((key) => ({ key, head: head(key) }))}
      rows={currencies.map((row) => ({
        key: row,
        head: head(row),
        cells: currencies.map((column) => {
          const pair = pairs.find(
            ({ base, quote }) => (base === row && quote === column) || (base === column && quote === row),
          );
          if (pair === undefined) return null;
          const move = pair.move === null ? null : pair.base === row ? pair.move : invertMove(pair.move);
          const text = formatMove(move);
          return {
            text,
            heat: move === null || largest === 0 ? null : move / largest,
            label: `${row} against ${column}: ${move === null ? "too few bars yet" : `${text} %`}. Show ${pair.symbol}`,
            href: `/symbols/${pair.symbol}`,
          };
        }),
      }))}
    />
  );
}

/** The move of the quote against the base, in percent: the price is inverted. */
export function invertMove(move: number): number {
  return 100 * (1 / (1 + move / 100) - 1);
}

/** Formats percent: "+0.31", "−0.05", "0.00"; a dash for null. */
export function formatMove(move: number | null): string {
  if (move === null) return "–";
  const text = Math.abs(move).toFixed(2);
  if (text === "0.00") return text;
  return move > 0 ? `+${text}` : `−${text}`;
}
