"use client";

import dynamic from "next/dynamic";
import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { useEffect, useSyncExternalStore } from "react";
import { getCommandDialog, showCommandDialog, subscribeToCommands } from "@/components/shell/commands/command-store";
import { findSymbol, withSymbol } from "@/components/shell/commands/current-symbol";
import { areSingleKeysOn, readStroke, SEQUENCE_MS } from "@/components/shell/commands/shortcuts";
import type { Audience } from "@/components/shell/pages";

const Palette = dynamic(() => import("@/components/shell/commands/palette"), { ssr: false });
const ShortcutHelp = dynamic(() => import("@/components/shell/commands/shortcut-help"), { ssr: false });

/** The keyboard shortcuts of every page, and the dialogs that they open. The dialogs load on first use. */
export function Commands({ audience }: { audience: Audience }) {
  const shown = useSyncExternalStore(subscribeToCommands, getCommandDialog, () => null);
  const symbol = findSymbol(usePathname(), useSearchParams());
  const router = useRouter();
  useEffect(() => {
    let gPressedAt = -Infinity;
    function onKeyDown(event: KeyboardEvent): void {
      if (event.repeat || event.defaultPrevented || event.isComposing || ["Shift", "Control"].includes(event.key))
        return;
      const isSecond = performance.now() - gPressedAt < SEQUENCE_MS;
      gPressedAt = -Infinity;
      const stroke = readStroke(toPressed(event), isSecond, areSingleKeysOn());
      if (stroke === null) return;
      // Pages have keys of their own, such as K on the board.
      event.preventDefault();
      event.stopPropagation();
      if ("go" in stroke) router.push(withSymbol(stroke.go, readSymbol()));
      else if (stroke.do === "wait") gPressedAt = performance.now();
      else showCommandDialog(stroke.do);
    }
    addEventListener("keydown", onKeyDown, { capture: true });
    return () => removeEventListener("keydown", onKeyDown, { capture: true });
  }, [router]);
  const close = () => showCommandDialog(null);
  if (shown === "palette") return <Palette audience={audience} symbol={symbol} onClose={close} />;
  return shown === "help" && <ShortcutHelp audience={audience} onClose={close} />;
}

/** Reads the address itself, which changes before components do. */
const readSymbol = () => findSymbol(location.pathname, new URLSearchParams(location.search));

/** A dialog has keys of its own, so it counts as a place where text is typed. */
const TYPING = "input, textarea, select, [contenteditable], dialog";

function toPressed(event: KeyboardEvent) {
  const target = event.target instanceof Element ? event.target : null;
  return {
    key: event.key,
    hasCommand: event.ctrlKey || event.metaKey,
    hasAlt: event.altKey,
    isTyping: target?.closest(TYPING) != null && !isButtonLike(target),
  };
}

/** Radio buttons and check boxes take no letters. */
function isButtonLike(target: Element): boolean {
  return target instanceof HTMLInputElement && ["radio", "checkbox"].includes(target.type) && !target.closest("dialog");
}
