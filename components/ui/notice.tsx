import type { ReactNode } from "react";

const TONES = {
  error: "border-down text-down",
  note: "border-accent text-ink",
} as const;

/** A message about the whole form or page. Screen readers read errors immediately. */
export function Notice({ tone, children }: { tone: keyof typeof TONES; children: ReactNode }) {
  return (
    <div
      role={tone === "error" ? "alert" : undefined}
      className={`border-l-2 bg-panel py-2 pr-3 pl-3 text-xs13 ${TONES[tone]}`}
    >
      {children}
    </div>
  );
}
