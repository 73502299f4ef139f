import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** "h1" where this is the whole page. */
  heading?: "h1" | "h2";
  children: ReactNode;
  action?: ReactNode;
}

/** Explains what is missing, why, and what to do about it. */
export function EmptyState({ title, heading: Heading = "h2", children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-16 text-center">
      <svg viewBox="0 0 96 40" width="96" height="40" fill="none" aria-hidden className="mb-2 text-edge">
        <path d="M4 8h88M4 32h88" stroke="currentColor" strokeWidth="1.5" strokeDasharray="3 5" strokeLinecap="round" />
        <circle cx="62" cy="20" r="5" stroke="var(--accent)" strokeWidth="1.5" />
      </svg>
      <Heading className="font-semibold">{title}</Heading>
      <div className="text-balance text-dim">{children}</div>
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
