import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { TextArea } from "@/components/ui/field";
import { UNSENT } from "@/features/forms/action-state";
import { useDraft } from "@/features/forms/use-draft";
import { type ListedSymbols, LONGEST_LIST_TEXT } from "@/features/quotes/list-format";

interface ListTextProps {
  /** The name of the draft. */
  draft: string;
  symbols: readonly string[];
  onApply: (symbols: readonly string[]) => void;
}

/** The list as text, to copy from and to paste into. */
export function ListText({ draft, symbols, onApply }: ListTextProps) {
  const written = symbols.join("\n");
  const [text, setText] = useState(written);
  const formRef = useRef<HTMLFormElement>(null);
  const onInput = useDraft(formRef, draft, UNSENT);
  const { listed, error, read } = useListedSymbols(text);
  const { symbols: found, unknown } = text === written ? { symbols, unknown: [] } : listed;
  const isChanged = found.join() !== symbols.join();

  async function apply(event: FormEvent): Promise<void> {
    event.preventDefault();
    const now = await read();
    if (now !== null) onApply(now.symbols);
  }

  return (
    <form ref={formRef} onSubmit={(event) => void apply(event)} onInput={onInput} className="grid gap-2">
      <TextArea
        id="list-text"
        name="text"
        label="As text"
        rows={4}
        spellCheck={false}
        autoCapitalize="characters"
        maxLength={LONGEST_LIST_TEXT}
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="One symbol a line, or with commas or spaces between them. A broker’s spelling is fine: “gold”, “EURUSD.pro”."
        error={error ?? formatUnknown(unknown)}
        aside={<CopyButton text={written} label="Symbols" selectId="list-text" />}
        className="font-mono text-xs13"
      />
      {isChanged && (
        <div>
          <Button type="submit">{found.length === 1 ? "Use this symbol" : `Use these ${found.length} symbols`}</Button>
        </div>
      )}
    </form>
  );
}

const MOST_NAMED = 5;

/** Names spellings that stand for no symbol: "Unknown and left out: ABC, DEF and 3 more". Null without any. */
export function formatUnknown(unknown: readonly string[]): string | null {
  if (unknown.length === 0) return null;
  const named = unknown.slice(0, MOST_NAMED).map((each) => each.slice(0, 20));
  const more = unknown.length - named.length;
  return `Unknown and left out: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

const splitWords = (text: string) => [...new Set(text.toUpperCase().split(/[\s,;]+/))].filter((word) => word !== "");

/** Keys in quick succession are read together. */
const SETTLE_MS = 150;
const NOTHING: ListedSymbols = { symbols: [], unknown: [] };

/**
 * The symbols that a text names, which the server finds, a moment after it was written. `read` reads the text of now; null
 * if it cannot, which `error` says.
 */
export function useListedSymbols(text: string) {
  const client = useQueryClient();
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  const toQuery = (body: string) => ({
    queryKey: ["list text", body],
    async queryFn({ signal }: { signal: AbortSignal }): Promise<ListedSymbols> {
      if (body.trim() === "") return NOTHING;
      const answer = await fetch("/quotes/lists/text", { method: "POST", body, signal, cache: "no-store" });
      // The session has ended. The list is kept as it is written, and the server leaves out what it does not know.
      if (answer.status === 401) return { symbols: splitWords(body), unknown: [] };
      if (!answer.ok) throw new Error(`The server answered ${answer.status}`);
      return (await answer.json()) as ListedSymbols;
    },
    networkMode: "always" as const,
    gcTime: 0,
  });
  const { data = NOTHING, failureCount } = useQuery({ ...toQuery(settled), placeholderData: keepPreviousData });
  return {
    listed: data,
    error: failureCount > 0 ? "The symbols cannot be read now. Trying again." : null,
    // What was read already stays valid, also when the session has ended: saving the list then asks to sign in.
    read: (): Promise<ListedSymbols | null> =>
      client.fetchQuery({ ...toQuery(text), staleTime: Infinity }).catch(() => null),
  };
}
