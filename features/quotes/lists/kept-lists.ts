import { dropDraft, saveDraft, takeDraft } from "@/features/forms/drafts";
import { attempt } from "@/features/forms/use-draft";
import type { QuoteList } from "@/lib/access/quote-list";

/** Lists that could not be saved because the session has ended. They are a draft of the board. */

export function keepLists(draft: string, lists: readonly QuoteList[]): void {
  attempt(() => saveDraft(sessionStorage, draft, { lists: [JSON.stringify(lists)] }));
}

/** Removes and returns the kept lists; null without any. */
export function takeLists(draft: string): readonly QuoteList[] | null {
  const text = attempt(() => takeDraft(sessionStorage, draft))?.lists?.[0];
  return text === undefined ? null : (JSON.parse(text) as QuoteList[]);
}

export function dropLists(draft: string): void {
  attempt(() => dropDraft(sessionStorage, draft));
}
