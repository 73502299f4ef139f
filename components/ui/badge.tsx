import type { InputHTMLAttributes, ReactNode } from "react";

/** A short word that qualifies the text beside it. */
export function Badge({ children }: { children: ReactNode }) {
  return (
    <span className="inline-flex h-5 items-center rounded-sm border border-line px-1.5 text-2xs whitespace-nowrap text-dim">
      {children}
    </span>
  );
}

/** A radio button that looks like a small button. */
export function RadioPill({ label, ...input }: { label: string } & InputHTMLAttributes<HTMLInputElement>) {
  return (
    <label className="grid h-9 place-items-center rounded-md border border-line bg-panel px-3 text-xs13 text-dim hover:border-edge hover:text-ink has-checked:border-accent-ink has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-accent-ink md:h-8">
      <input type="radio" {...input} className="sr-only" />
      {label}
    </label>
  );
}

/** The classes of a check box or radio button beside its text. */
export const CHECK_CLASS = "mt-0.5 size-4 flex-none accent-accent";
