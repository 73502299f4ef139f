"use client";

import { CopyButton } from "@/components/ui/copy-button";
import { Figure } from "@/components/ui/figure";

/** A text to copy, such as an address, and the button that copies it. */
export function CopyLine({ id, label, text }: { id: string; label: string; text: string }) {
  return (
    <div className="flex min-w-0 items-start gap-3">
      <Figure
        as="code"
        id={id}
        className="min-w-0 flex-1 rounded-md border border-line bg-raised px-2.5 py-1.5 text-xs12 [overflow-wrap:anywhere]"
      >
        {text}
      </Figure>
      <CopyButton text={text} label={label} selectId={id} />
    </div>
  );
}
