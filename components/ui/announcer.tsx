"use client";

import { Check } from "lucide-react";
import { useSyncExternalStore } from "react";

/**
 * Shows one sentence at a time at the foot of the page. The live region is always in the page, because
 * screen readers often skip a live region that appears together with its text.
 */
interface Announcement {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 4_000;
const nothing: Announcement = { id: 0, text: "" };
let current = nothing;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function show(announcement: Announcement): void {
  current = announcement;
  for (const listener of listeners) listener();
}

/** Announces a completed action. Errors are shown beside their form instead. */
export function announce(text: string): void {
  clearTimeout(timer);
  show({ id: current.id + 1, text });
  timer = setTimeout(() => show({ id: current.id, text: "" }), SHOWN_MS);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Announcer() {
  const { id, text } = useSyncExternalStore(
    subscribe,
    () => current,
    () => nothing,
  );
  return (
    <div
      role="status"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-20 z-50 flex justify-center px-4 md:bottom-6"
    >
      {text !== "" && (
        <p
          key={id}
          className="flex items-center gap-2 rounded-md border border-line bg-raised px-3 py-2 text-ink shadow-float motion-safe:animate-[rise_160ms_ease-out]"
        >
          <Check aria-hidden size={15} className="text-accent-ink" />
          {text}
        </p>
      )}
    </div>
  );
}
