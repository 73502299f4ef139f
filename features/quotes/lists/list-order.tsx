import { ArrowDown, ArrowUp, X } from "lucide-react";
import type { ReactNode } from "react";
import { announce } from "@/components/ui/announcer";
import { stepSymbol, toggleSymbol } from "@/features/quotes/lists/list-changes";
import type { ChangeLists } from "@/features/quotes/lists/use-lists";
import type { QuoteList } from "@/lib/access/quote-list";
import { instrumentBySymbol } from "@/lib/market/catalog";

/** The symbols of a list with buttons that move and remove them; they also work by touch. */
export function ListOrder({ list: { slug, name, symbols }, onChange }: { list: QuoteList; onChange: ChangeLists }) {
  if (symbols.length === 0)
    return <p className="text-dim">No symbols yet. Star some on the board, or paste them below.</p>;
  const step = (symbol: string, by: -1 | 1) => {
    onChange((lists) => stepSymbol(lists, slug, symbol, { step: by, shown: symbols }));
    announce(`${symbol} moved to place ${symbols.indexOf(symbol) + by + 1} of ${symbols.length}`);
  };
  return (
    <ol
      aria-label={`Symbols of ${name}`}
      tabIndex={0}
      className="max-h-64 overflow-y-auto rounded-md border border-line text-xs13"
    >
      {symbols.map((symbol, at) => (
        <li
          key={symbol}
          className="flex h-9 items-center gap-2 border-b border-line pr-1 pl-3 last:border-b-0 max-md:h-11"
        >
          <span className="font-semibold">{symbol}</span>
          <span className="min-w-0 flex-1 truncate text-dim">{instrumentBySymbol.get(symbol)?.name}</span>
          <IconButton label={`Move ${symbol} up`} disabled={at === 0} onClick={() => step(symbol, -1)}>
            <ArrowUp aria-hidden size={14} />
          </IconButton>
          <IconButton
            label={`Move ${symbol} down`}
            disabled={at === symbols.length - 1}
            onClick={() => step(symbol, 1)}
          >
            <ArrowDown aria-hidden size={14} />
          </IconButton>
          <IconButton
            label={`Remove ${symbol}`}
            disabled={false}
            onClick={() => onChange((lists) => toggleSymbol(lists, slug, symbol))}
          >
            <X aria-hidden size={14} />
          </IconButton>
        </li>
      ))}
    </ol>
  );
}

interface IconButtonProps {
  label: string;
  /** Stays focusable, so that the keyboard keeps its place at the ends of the list. */
  disabled: boolean;
  onClick: () => void;
  children: ReactNode;
}

function IconButton({ label, disabled, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      aria-disabled={disabled}
      onClick={() => !disabled && onClick()}
      className="grid size-7 flex-none place-items-center rounded-sm text-dim hover:bg-hover hover:text-ink aria-disabled:opacity-40 max-md:size-10"
    >
      {children}
    </button>
  );
}
