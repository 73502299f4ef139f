import { List } from "lucide-react";
import dynamic from "next/dynamic";
import { MenuButton } from "@/components/ui/menu-button";
import type { ListPanelProps } from "@/features/quotes/lists/list-panel";

const ListPanel = dynamic(() => import("@/features/quotes/lists/list-panel").then((module) => module.ListPanel));

/** Chooses one of the account's lists. */
export function ListMenu(props: Omit<ListPanelProps, "onClose">) {
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
