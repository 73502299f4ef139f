import type { ReactNode } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import type { SharedList } from "@/features/quotes/board-view";
import type { SaveState } from "@/features/quotes/lists/list-saver";
import { LIST_LIMITS, type QuoteList } from "@/lib/access/quote-list";

interface BoardNoticesProps {
  /** Why there is no stream; null if there is nothing to say. */
  note: string | null;
  isOffline: boolean;
  shared: SharedList | null;
  lists: readonly QuoteList[];
  saveState: SaveState;
  onSave: (shared: SharedList) => void;
  onLeave: () => void;
}

/** Says that prices do not update, why a list is not saved, and that a list is somebody else's. */
export function BoardNotices({ note, isOffline, shared, lists, saveState, onSave, onLeave }: BoardNoticesProps) {
  const isFull = lists.length >= LIST_LIMITS.lists;
  return (
    <>
      {note !== null && (
        <div role="status">
          <Line tone="note">{note}</Line>
        </div>
      )}
      {isOffline && (
        <Line tone="error">These prices no longer update: the server cannot be reached. Trying again.</Line>
      )}
      {saveState.kind === "failed" && <Line tone="error">{saveState.reason}</Line>}
      {shared !== null && (
        <Line tone="note">
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
        </Line>
      )}
    </>
  );
}

function Line({ tone, children }: { tone: "note" | "error"; children: ReactNode }) {
  return (
    <div className="px-4 pb-3 max-md:px-3">
      <Notice tone={tone}>{children}</Notice>
    </div>
  );
}
