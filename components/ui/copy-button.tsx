"use client";

import { Check, Copy } from "lucide-react";
import { useEffect, useState } from "react";
import { announce } from "@/components/ui/announcer";
import { Button } from "@/components/ui/button";

/**
 * Copies a text to the clipboard. The browser's clipboard needs a secure origin, which plain HTTP on a LAN is not; the
 * older command works there. Returns false if the browser allows neither.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.readOnly = true;
    // On the screen, or phones scroll to it; within an open dialog, or it cannot have the focus.
    area.style.position = "fixed";
    area.style.top = "0";
    area.style.opacity = "0";
    const focused = document.activeElement;
    (focused?.closest("dialog, [role=dialog]") ?? document.body).append(area);
    area.select();
    const isCopied = document.execCommand("copy");
    area.remove();
    if (focused instanceof HTMLElement) focused.focus();
    return isCopied;
  }
}

/** Copies a text to the clipboard. If the browser forbids it, selects the text and says how to copy it. */
export function CopyButton({ text, label, selectId }: { text: string; label: string; selectId: string }) {
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 2_000);
    return () => clearTimeout(timer);
  }, [copied]);

  async function copy() {
    if (await copyText(text)) {
      setCopied(true);
      announce(`${label} copied`);
      return;
    }
    const element = document.getElementById(selectId);
    if (element) getSelection()?.selectAllChildren(element);
    announce("Selected. Press Ctrl+C or ⌘C to copy.");
  }

  return (
    <Button size="sm" onClick={copy} className="min-w-20">
      {copied ? <Check aria-hidden size={14} /> : <Copy aria-hidden size={14} />}
      {copied ? "Copied" : "Copy"}
      <span className="sr-only"> {label.toLowerCase()}</span>
    </Button>
  );
}
