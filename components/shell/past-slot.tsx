"use client";

import { History } from "lucide-react";
import dynamic from "next/dynamic";
import { useSyncExternalStore } from "react";
import type { PastFacts } from "@/components/shell/past-steps";
import { getCommandDialog, showCommandDialog, subscribeToCommands } from "@/components/shell/shortcuts";
import { useAddressAt } from "@/components/ui/past";

const PastBar = dynamic(() => import("@/components/shell/past-bar"));
const PastPicker = dynamic(() => import("@/components/shell/past-picker"), { ssr: false });

/** The bar of the past above each page while the address names a second, and the dialog that chooses one. */
export function PastSlot(facts: PastFacts) {
  const at = useAddressAt();
  const shown = useSyncExternalStore(subscribeToCommands, getCommandDialog, () => null);
  return (
    <>
      {at !== null && <PastBar {...facts} at={at} />}
      {shown === "past" && <PastPicker {...facts} at={at} onClose={() => showCommandDialog(null)} />}
    </>
  );
}

/** Opens the dialog: an icon in the frame. */
export function PastButton({ className }: { className: string }) {
  return (
    <button
      type="button"
      onClick={() => showCommandDialog("past")}
      aria-label="Go to a past second"
      aria-keyshortcuts="t"
      title="Go to a past second (T)"
      className={`grid place-items-center rounded-md text-dim hover:text-ink ${className}`}
    >
      <History aria-hidden size={17} strokeWidth={1.75} />
    </button>
  );
}
