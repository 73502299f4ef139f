"use client";

import { ArrowDown, ArrowUp, Link2, Trash2, X } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button } from "@/components/ui/button";
import { copyText } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { useDropDraft } from "@/features/forms/use-draft";
import {
  findNameProblem,
  removeList,
  renameList,
  replaceSymbols,
  stepSymbol,
  toggleSymbol,
} from "@/features/quotes/list-changes";
import { ListText } from "@/features/quotes/list-text";
import type { BoardInstrument } from "@/features/quotes/types";
import { toSharedHref } from "@/features/quotes/url";
import type { ChangeLists } from "@/features/quotes/use-lists";
import { DEFAULT_LIST, type QuoteList } from "@/lib/access/quote-list";

interface ListDialogProps {
  list: QuoteList;
  lists: readonly QuoteList[];
  /** Its symbols' names are shown. */
  instruments: readonly BoardInstrument[];
  onChange: ChangeLists;
  onClose: () => void;
  /** Called when the list was deleted. */
  onDeleted: () => void;
}

/** Renames, orders, imports, exports, shares and deletes one list. Every change is saved at once. */
export default function ListDialog({ list, lists, instruments, onChange, onClose, onDeleted }: ListDialogProps) {
  const { slug, symbols } = list;
  const [name, setName] = useState(list.name);
  const problem = findNameProblem(lists, name, slug);
  const draft = `list ${slug}`;
  const drop = useDropDraft(draft);

  function close(): void {
    drop();
    onClose();
  }

  return (
    <Dialog open title={`Edit ${list.name}`} onDismiss={close}>
      <div className="mt-4 grid gap-5">
        <TextField
          id="list-name"
          label="Name"
          value={name}
          error={problem}
          autoComplete="off"
          onChange={(event) => {
            setName(event.target.value);
            if (findNameProblem(lists, event.target.value, slug) === null) {
              onChange((before) => renameList(before, slug, event.target.value));
            }
          }}
        />
        <ListOrder list={list} instruments={instruments} onChange={onChange} />
        <ListText
          key={symbols.join()}
          draft={draft}
          symbols={symbols}
          onApply={(next) => onChange((before) => replaceSymbols(before, slug, next))}
        />
        <div className="flex flex-wrap justify-between gap-2 border-t border-line pt-4">
          <div className="flex flex-wrap gap-2">
            <Button disabled={symbols.length === 0} onClick={() => void copyLink(list)}>
              <Link2 aria-hidden size={15} />
              Copy link
            </Button>
            {slug !== DEFAULT_LIST.slug && (
              <Button
                look="danger"
                onClick={() => {
                  onDeleted();
                  onChange((before) => removeList(before, slug));
                  announce(`${list.name} deleted`);
                }}
              >
                <Trash2 aria-hidden size={15} />
                Delete
              </Button>
            )}
          </div>
          <Button look="primary" onClick={close}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** Copies the address that shows the list. If the browser forbids it, the address is opened. */
async function copyLink(list: QuoteList): Promise<void> {
  const href = toSharedHref(list);
  if (await copyText(new URL(href, location.origin).href)) {
    announce("Link copied. Anyone who can sign in here sees the list.");
  } else window.open(href, "_blank", "noopener");
}

/** The symbols of a list with buttons that move and remove them; they also work by touch. */
function ListOrder({ list, instruments, onChange }: Pick<ListDialogProps, "list" | "instruments" | "onChange">) {
  const { slug, name, symbols } = list;
  const names = useMemo(() => new Map(instruments.map((each) => [each.symbol, each.name])), [instruments]);
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
          <span translate="no" className="font-semibold">
            {symbol}
          </span>
          <span className="min-w-0 flex-1 truncate text-dim">{names.get(symbol)}</span>
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
