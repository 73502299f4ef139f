"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button } from "@/components/ui/button";

/** Copies a text to the clipboard. If the browser forbids it, selects the text so that the visitor can copy it. */
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
      // The clipboard needs a secure origin, which plain HTTP on a LAN is not.
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
