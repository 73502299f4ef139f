import type { ReactNode } from "react";

/** A short word that qualifies the text beside it. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-5 items-center rounded-sm border border-line px-1.5 text-2xs whitespace-nowrap text-dim">
      {children}
    </span>
  );
}
