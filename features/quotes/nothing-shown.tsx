import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import type { BoardChoice } from "@/features/quotes/url";
import type { QuoteList } from "@/lib/access/quote-list";

interface NothingShownProps {
  choice: Pick<BoardChoice, "search" | "filter">;
  list: QuoteList | null;
  onShowAll: () => void;
}

/** Says why there are no rows, and what to do. */
export function NothingShown({ choice: { search, filter }, list, onShowAll }: NothingShownProps) {
  const searching = search.trim() !== "";
  const isEmpty = !searching && list !== null && list.symbols.length === 0;
  return (
    <EmptyState
      title={
        searching
          ? `Nothing matches “${search.trim()}”`
          : isEmpty
            ? `No symbols in ${list.name} yet`
            : "No symbols of this category"
      }
      action={<Button onClick={onShowAll}>Show all symbols</Button>}
    >
      {searching
        ? filter === "all" && list === null
          ? "Search by symbol, by name or by a broker’s spelling: “eur”, “gold”, “dollar yen”, “DAX”."
          : "It may be in another category or list."
        : isEmpty
          ? "Star symbols among all symbols, or edit the list to paste some. Lists are kept with your account."
          : `${list?.name ?? "The list"} has symbols of other categories.`}
    </EmptyState>
  );
}
