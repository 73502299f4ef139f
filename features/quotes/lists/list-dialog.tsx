"use client";

import { Link2, Trash2 } from "lucide-react";
import { useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextField } from "@/components/ui/field";
import { useDropDraft } from "@/features/forms/use-draft";
import { findNameProblem, removeList, renameList, replaceSymbols } from "@/features/quotes/lists/list-changes";
import { ListOrder } from "@/features/quotes/lists/list-order";
import { ListText } from "@/features/quotes/lists/list-text";
import type { ChangeLists } from "@/features/quotes/lists/use-lists";
import { toSharedHref } from "@/features/quotes/url";
import { DEFAULT_LIST, type QuoteList } from "@/lib/access/quote-list";

interface ListDialogProps {
  list: QuoteList;
  lists: readonly QuoteList[];
  onChange: ChangeLists;
  onClose: () => void;
  /** Called when the list was deleted. */
  onDeleted: () => void;
}

/** Renames, orders, imports, exports, shares and deletes one list. Every change is saved at once. */
export default function ListDialog({ list, lists, onChange, onClose, onDeleted }: ListDialogProps) {
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
        <ListOrder list={list} onChange={onChange} />
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

/** Copies the address that shows the list. Without a clipboard, which needs a secure origin, the address is opened. */
async function copyLink(list: QuoteList): Promise<void> {
  const href = toSharedHref(list);
  try {
    await navigator.clipboard.writeText(new URL(href, location.origin).href);
    announce("Link copied. Anyone who can sign in here sees the list.");
  } catch {
    window.open(href, "_blank", "noopener");
  }
}
