import type { ReactNode } from "react";

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
