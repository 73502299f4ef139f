import type { ReactNode } from "react";

const tones = {
  error: "border-down text-down",
  note: "border-accent text-ink",
} as const;

/** A sentence that concerns the whole form or page. Errors are read out at once. */
export function Notice({ tone, children }: { tone: keyof typeof tones; children: ReactNode }) {
  return (
    <div
      role={tone === "error" ? "alert" : undefined}
      className={`border-l-2 bg-panel py-2 pr-3 pl-3 text-[0.8125rem] ${tones[tone]}`}
    >
      {children}
    </div>
  );
}
