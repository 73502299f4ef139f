import { useSymbolValue } from "@/features/quotes/columns/symbol-store";
import { useExtras } from "@/features/quotes/extras";
import type { BoardRow } from "@/features/quotes/types";

/** The spread now. One that is wider than usual is marked with an arrow, a colour and a word. */
export function SpreadCell({ symbol, row }: { symbol: string; row: BoardRow | null }) {
  const usual = useSymbolValue(useExtras().usual, symbol);
  if (row === null) {
    return (
      <td role="cell" className="cell-spread numerals text-faint">
        –
      </td>
    );
  }
  const isWide = usual !== undefined && row.spreadPips > usual[1];
  return (
    <td
      role="cell"
      className="cell-spread numerals"
      data-wide={isWide || undefined}
      title={isWide ? `Wider than usual: ${formatUsual(usual)} pips in 90 % of the last 7 days` : undefined}
    >
      {isWide && <span className="sr-only">wider than usual: </span>}
      {row.spreadPips.toFixed(1)}
    </td>
  );
}

export function UsualCell({ symbol }: { symbol: string }) {
  const usual = useSymbolValue(useExtras().usual, symbol);
  return (
    <td role="cell" className="cell-usual numerals text-faint">
      {usual === undefined ? "–" : formatUsual(usual)}
    </td>
  );
}

function formatUsual([low, high]: readonly [number, number]): string {
  const [from, to] = [low.toFixed(1), high.toFixed(1)];
  return from === to ? from : `${from}–${to}`;
}
