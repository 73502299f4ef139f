"use client";

import { type ReactNode, useEffect, useId, useRef } from "react";

interface DialogProps {
  open: boolean;
  title: string;
  children: ReactNode;
  /** Called for Escape and for a click beside the dialog. Without it, the dialog stays open. */
  onDismiss?: () => void;
  wide?: boolean;
}

/** A native modal dialog. It traps the focus, makes the page inert and restores the focus. */
export function Dialog({ open, title, children, onDismiss, wide = false }: DialogProps) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();

  useEffect(() => {
    const dialog = ref.current;
    if (!dialog) return;
    if (open && !dialog.open) dialog.showModal();
    if (!open && dialog.open) dialog.close();
  }, [open]);

  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onCancel={(event) => {
        event.preventDefault();
        onDismiss?.();
      }}
      // Chromium closes a dialog on the second Escape even if "cancel" was prevented; the state must follow.
      onClose={() => {
        if (open) {
          if (onDismiss) onDismiss();
          else ref.current?.showModal();
        }
      }}
      onClick={(event) => {
        if (event.target === ref.current) onDismiss?.();
      }}
      className={`m-auto max-h-[calc(100dvh-2rem)] w-[calc(100vw-2rem)] overflow-y-auto rounded-lg border border-line bg-panel p-0 text-left text-sm shadow-float backdrop:bg-[#05060699] ${wide ? "max-w-2xl" : "max-w-md"}`}
    >
      <div className="p-5">
        <h2 id={titleId} className="text-base font-semibold">
          {title}
        </h2>
        {open && children}
      </div>
    </dialog>
  );
}
