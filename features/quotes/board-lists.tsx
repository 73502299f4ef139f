"use client";

import { List } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { MenuButton } from "@/components/ui/menu-button";
import { addList } from "@/features/quotes/list-changes";
import type { ListPanelProps } from "@/features/quotes/list-panel";
import type { BoardInstrument } from "@/features/quotes/types";
import type { ChangeLists } from "@/features/quotes/use-lists";
import type { QuoteList } from "@/lib/access/quote-list";

const ListDialog = dynamic(() => import("@/features/quotes/list-dialog"), { ssr: false });
const NewListDialog = dynamic(() => import("@/features/quotes/new-list-dialog"), { ssr: false });

interface BoardListsProps {
  lists: readonly QuoteList[];
  current: QuoteList | null;
  instruments: readonly BoardInstrument[];
  onChange: ChangeLists;
  onChoose: (slug: string | null) => void;
}

/** The menu of lists and its dialogs. */
export function BoardLists({ lists, current, instruments, onChange, onChoose }: BoardListsProps) {
  const [dialog, setDialog] = useState<"new" | "edit" | null>(null);
  const close = () => setDialog(null);
  return (
    <>
      <ListMenu
        lists={lists}
        current={current}
        total={instruments.length}
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
          instruments={instruments}
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

const ListPanel = dynamic(() => import("@/features/quotes/list-panel").then((module) => module.ListPanel));

/** Chooses one of the account's lists. */
function ListMenu(props: Omit<ListPanelProps, "onClose">) {
  const name = props.current?.name ?? "All symbols";
  return (
    <MenuButton
      label={`List: ${name}`}
      panelClassName="w-64"
      panel={(close) => <ListPanel {...props} onClose={close} />}
    >
      <List aria-hidden size={14} strokeWidth={1.75} className="flex-none text-faint" />
      <span className="max-w-36 truncate">{name}</span>
    </MenuButton>
  );
}
