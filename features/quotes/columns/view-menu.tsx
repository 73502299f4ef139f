import { SlidersHorizontal } from "lucide-react";
import dynamic from "next/dynamic";
import { MenuButton } from "@/components/ui/menu-button";
import type { ViewPanelProps } from "@/features/quotes/columns/view-panel";

/** Most visits change nothing. */
const ViewPanel = dynamic(() => import("@/features/quotes/columns/view-panel").then((module) => module.ViewPanel));

/** Chooses the columns, the height of the rows, and the order, which on a phone has few headings. */
export function ViewMenu({ choice, onChange }: ViewPanelProps) {
  return (
    <MenuButton panelClassName="w-72" panel={() => <ViewPanel choice={choice} onChange={onChange} />}>
      <SlidersHorizontal aria-hidden size={14} strokeWidth={1.75} className="text-faint" />
      View
    </MenuButton>
  );
}
