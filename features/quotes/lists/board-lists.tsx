"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { addList } from "@/features/quotes/lists/list-changes";
import { ListMenu } from "@/features/quotes/lists/list-menu";
import type { SaveState } from "@/features/quotes/lists/list-saver";
import type { ChangeLists } from "@/features/quotes/lists/use-lists";
import type { SharedList } from "@/features/quotes/board-view";
import { LIST_LIMITS, type QuoteList } from "@/lib/access/quote-list";

const ListDialog = dynamic(() => import("@/features/quotes/lists/list-dialog"), { ssr: false });
const NewListDialog = dynamic(() => import("@/features/quotes/lists/new-list-dialog"), { ssr: false });

interface BoardListsProps {
  lists: readonly QuoteList[];
  current: QuoteList | null;
  total: number;
  onChange: ChangeLists;
  onChoose: (slug: string | null) => void;
}

/** The menu of lists and its dialogs. */
export function BoardLists({ lists, current, total, onChange, onChoose }: BoardListsProps) {
  const [dialog, setDialog] = useState<"new" | "edit" | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <ListMenu
        lists={lists}
        current={current}
        total={total}
        onChoose={onChoose}
        onEdit={() => setDialog("edit")}
        onNew={() => setDialog("new")}
      />
      {dialog === "new" && (
        <NewListDialog
          lists={lists}
          onClose={close}
          onCreate={(created) => {
            const { slug } = addList(lists, created);
            onChange((before) => addList(before, created).lists);
            onChoose(slug);
            close();
          }}
        />
      )}
      {dialog === "edit" && current !== null && (
        <ListDialog
          list={current}
          lists={lists}
          onChange={onChange}
          onClose={close}
          onDeleted={() => {
            close();
            onChoose(null);
          }}
        />
      )}
    </>
  );
}

interface ListNoticesProps {
  shared: SharedList | null;
  lists: readonly QuoteList[];
  saveState: SaveState;
  onSave: (shared: SharedList) => void;
  onLeave: () => void;
}

/** Says that a list is somebody else's, and why a change is not saved yet. */
export function ListNotices({ shared, lists, saveState, onSave, onLeave }: ListNoticesProps) {
  const isFull = lists.length >= LIST_LIMITS.lists;
  return (
    <>
      {saveState.kind === "failed" && (
        <div className="px-4 pb-3 max-md:px-3">
          <Notice tone="error">{saveState.reason}</Notice>
        </div>
      )}
      {shared !== null && (
        <div className="px-4 pb-3 max-md:px-3">
          <Notice tone="note">
            <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
              <span>
                A shared list: <strong>{shared.name}</strong>, {shared.symbols.length}{" "}
                {shared.symbols.length === 1 ? "symbol" : "symbols"}.
              </span>
              <Button size="sm" disabled={isFull} onClick={() => onSave(shared)}>
                {isFull ? `You have ${LIST_LIMITS.lists} lists, the most` : "Save to my lists"}
              </Button>
              <Button size="sm" look="quiet" onClick={onLeave}>
                Show all symbols
              </Button>
            </div>
          </Notice>
        </div>
      )}
    </>
  );
}
