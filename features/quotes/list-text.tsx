import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { TextArea } from "@/components/ui/field";
import { UNSENT } from "@/features/forms/action-state";
import { useDraft } from "@/features/forms/use-draft";
import { formatListText, parseListText } from "@/features/quotes/list-format";

interface ListTextProps {
  /** The name of the draft. */
  draft: string;
  symbols: readonly string[];
  onApply: (symbols: readonly string[]) => void;
}

/** The list as text, to copy from and to paste into. */
export function ListText({ draft, symbols, onApply }: ListTextProps) {
  const written = formatListText(symbols);
  const [text, setText] = useState(written);
  const formRef = useRef<HTMLFormElement>(null);
  const onInput = useDraft(formRef, draft, UNSENT);
  const { symbols: found, unknown } = parseListText(text);
  const isChanged = found.join() !== symbols.join();

  function apply(event: FormEvent): void {
    event.preventDefault();
    onApply(found);
  }

  return (
    <form ref={formRef} onSubmit={apply} onInput={onInput} className="grid gap-2">
      <TextArea
        id="list-text"
        name="text"
        label="As text"
        rows={4}
        spellCheck={false}
        autoCapitalize="characters"
        value={text}
        onChange={(event) => setText(event.target.value)}
        hint="One symbol a line, or with commas or spaces between them. A broker’s spelling is fine: “gold”, “EURUSD.pro”."
        error={unknown.length > 0 ? formatUnknown(unknown) : null}
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

/** Names spellings that stand for no symbol: "Unknown and left out: ABC, DEF and 3 more". */
export function formatUnknown(unknown: readonly string[]): string {
  const named = unknown.slice(0, MOST_NAMED).map((each) => each.slice(0, 20));
  const more = unknown.length - named.length;
  return `Unknown and left out: ${named.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
