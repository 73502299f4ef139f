"use client";

import { type FormEvent, useRef, useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { TextArea, TextField } from "@/components/ui/field";
import { UNSENT } from "@/features/forms/action-state";
import { useDraft, useDropDraft } from "@/features/forms/use-draft";
import { findNameProblem } from "@/features/quotes/list-changes";
import { LONGEST_LIST_TEXT } from "@/features/quotes/list-format";
import { formatUnknown, useListedSymbols } from "@/features/quotes/list-text";
import type { QuoteList } from "@/lib/access/quote-list";

const DRAFT = "new list";

interface NewListDialogProps {
  lists: readonly QuoteList[];
  onCreate: (list: Pick<QuoteList, "name" | "symbols">) => void;
  onClose: () => void;
}

/** Creates a list, empty or from text. */
export default function NewListDialog({ lists, onCreate, onClose }: NewListDialogProps) {
  const [name, setName] = useState("");
  const [text, setText] = useState("");
  const [isSent, setIsSent] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const onInput = useDraft(formRef, DRAFT, UNSENT);
  const drop = useDropDraft(DRAFT);
  const problem = findNameProblem(lists, name, null);
  const { listed, error, read } = useListedSymbols(text);

  async function create(event: FormEvent): Promise<void> {
    event.preventDefault();
    setIsSent(true);
    if (problem !== null) return;
    const now = await read();
    if (now === null) return;
    drop();
    onCreate({ name, symbols: now.symbols });
  }

  function close(): void {
    drop();
    onClose();
  }

  return (
    <Dialog open title="New list" onDismiss={close}>
      <form
        ref={formRef}
        onSubmit={(event) => void create(event)}
        onInput={onInput}
        className="mt-4 grid gap-5"
        noValidate
      >
        <TextField
          id="new-list-name"
          name="name"
          label="Name"
          value={name}
          autoFocus
          autoComplete="off"
          error={isSent ? problem : null}
          onChange={(event) => setName(event.target.value)}
        />
        <TextArea
          id="new-list-symbols"
          name="symbols"
          label="Symbols"
          rows={4}
          spellCheck={false}
          maxLength={LONGEST_LIST_TEXT}
          value={text}
          onChange={(event) => setText(event.target.value)}
          hint="Optional. Paste a list from another tool: one symbol a line, or with commas or spaces between them."
          error={error ?? formatUnknown(listed.unknown)}
          className="font-mono text-xs13"
        />
        <div className="flex justify-end gap-2">
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit">
            Create list
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
