import { type BoardInstrument, type BoardUpdate, wireRow } from "@/features/quotes/board-row";
import { instruments } from "@/lib/market/catalog";
import type { Runtime } from "@/lib/runtime";

/** What the board reads of the running installation. */
export type BoardRuntime = Pick<Runtime, "book" | "marketNow">;

/** Everything the board can list, in the catalogue's order. */
export const boardInstruments: readonly BoardInstrument[] = instruments.map(
  ({ symbol, name, category, digits, pipSize }) => ({ symbol, name, category, digits, pipSize }),
);

/** The whole board as it stands now. Symbols that nothing was received for have no row. */
export function readBoard({ book, marketNow }: BoardRuntime): BoardUpdate {
  const rows = boardInstruments.flatMap(({ symbol }) => {
    const quote = book.served(symbol);
    return quote === undefined ? [] : [wireRow(quote)];
  });
  return { nowMs: Math.floor(marketNow()), rows };
}
