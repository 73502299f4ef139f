"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button } from "@/components/ui/button";

/** Puts a text on the clipboard and says so. Where the browser forbids it, selects the text to copy by hand. */
export function CopyButton({ text, label, selectId }: { text: string; label: string; selectId: string }) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      announce(`${label} copied`);
    } catch {
      // Clipboards need a secure origin: over plain http on a LAN the selected text is the next best thing.
      const element = document.getElementById(selectId);
      if (element) getSelection()?.selectAllChildren(element);
      announce("Selected. Press Ctrl+C or ⌘C to copy.");
    }
  }

  return (
    <Button size="sm" onClick={copy} className="min-w-20">
      {copied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      {copied ? "Copied" : "Copy"}
      <span className="sr-only"> {label.toLowerCase()}</span>
    </Button>
  );
}
