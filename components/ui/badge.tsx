import type { ReactNode } from "react";

const tones = {
  plain: "border-line text-dim",
  accent: "border-accent-ink text-accent-ink",
  warn: "border-warn text-warn",
  down: "border-down text-down",
} as const;

export function Badge({ tone = "plain", children }: { tone?: keyof typeof tones; children: ReactNode }) {
  return (
    <span className={`inline-flex h-5 items-center rounded-sm border px-1.5 text-2xs whitespace-nowrap ${tones[tone]}`}>
      {children}
    </span>
  );
}
