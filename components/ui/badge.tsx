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

/** Each state has its shape, so that it can be read without colours. */
const DOTS = {
  good: "rounded-full border-up bg-up",
  /** Half of it is filled. */
  late: "rounded-full border-warn bg-[linear-gradient(90deg,var(--warn)_50%,transparent_50%)]",
  warning: "rounded-full border-warn",
  waiting: "animate-[breathe_1.2s_ease-in-out_infinite] rounded-full border-warn",
  old: "border-ink",
  failed: "border-down",
  off: "rounded-full border-faint",
} as const;

export type DotLook = keyof typeof DOTS;

/** The mark beside a state's name. */
export function StateDot({ look }: { look: DotLook }) {
  return <span aria-hidden className={`size-[7px] flex-none border-[1.5px] ${DOTS[look]}`} />;
}

interface StateProps {
  look: DotLook;
  title?: string;
  className?: string;
  children: ReactNode;
}

/** A state: its dot and its name. */
export function State({ look, title, className = "", children }: StateProps) {
  return (
    <span title={title} className={`inline-flex items-center gap-1.75 ${className}`}>
      <StateDot look={look} />
      <span className="min-w-0">{children}</span>
    </span>
  );
}
