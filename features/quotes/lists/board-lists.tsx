"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { addList } from "@/features/quotes/lists/list-changes";
import { ListMenu } from "@/features/quotes/lists/list-menu";
import type { ChangeLists } from "@/features/quotes/lists/use-lists";
import type { QuoteList } from "@/lib/access/quote-list";

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
