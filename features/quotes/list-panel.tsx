import { Check, Pencil, Plus } from "lucide-react";
import { Figure } from "@/components/ui/figure";
import { LIST_LIMITS, type QuoteList } from "@/lib/access/quote-list";

export interface ListPanelProps {
  lists: readonly QuoteList[];
  /** The shown list; null for all symbols. */
  current: QuoteList | null;
  total: number;
  onChoose: (slug: string | null) => void;
  /** Opens the dialog of the shown list, or of a new one. */
  onEdit: () => void;
  onNew: () => void;
  onClose: () => void;
}

const ITEM_CLASS = "flex min-h-8 w-full items-center gap-2 rounded-sm px-2 text-left hover:bg-hover max-md:min-h-10";

/** The account's lists, and what can be done with them. */
export function ListPanel({ lists, current, total, onChoose, onEdit, onNew, onClose }: ListPanelProps) {
  const choose = (slug: string | null) => {
    onChoose(slug);
    onClose();
  };
  return (
    <>
      <ul className="p-1.5">
        <ListItem name="All symbols" count={total} isChosen={current === null} onClick={() => choose(null)} />
        {lists.map((list) => (
          <ListItem
            key={list.slug}
            name={list.name}
            count={list.symbols.length}
            isChosen={list.slug === current?.slug}
            onClick={() => choose(list.slug)}
          />
        ))}
      </ul>
      <div className="border-t border-line p-1.5">
        {current !== null && (
          <button
            type="button"
            className={ITEM_CLASS}
            onClick={() => {
              onClose();
              onEdit();
            }}
          >
            <Pencil aria-hidden size={14} className="text-faint" />
            Edit {current.name}
          </button>
        )}
        <button
          type="button"
          disabled={lists.length >= LIST_LIMITS.lists}
          className={`${ITEM_CLASS} disabled:opacity-60`}
          onClick={() => {
            onClose();
            onNew();
          }}
        >
          <Plus aria-hidden size={14} className="text-faint" />
          {lists.length >= LIST_LIMITS.lists ? `At most ${LIST_LIMITS.lists} lists` : "New list"}
        </button>
      </div>
    </>
  );
}

interface ListItemProps {
  name: string;
  count: number;
  isChosen: boolean;
  onClick: () => void;
}

function ListItem({ name, count, isChosen, onClick }: ListItemProps) {
  return (
    <li>
      <button type="button" aria-pressed={isChosen} onClick={onClick} className={ITEM_CLASS}>
        <Check aria-hidden size={14} className={isChosen ? "text-accent-ink" : "invisible"} />
        <span className="min-w-0 flex-1 truncate">{name}</span>
        <Figure className="text-xs11 text-faint">{count}</Figure>
      </button>
    </li>
  );
}
