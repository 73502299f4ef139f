import type { ReactNode } from "react";

/** Says what would be here, why it is not, and what to do about it. */
export function EmptyState({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-16 text-center">
      <svg viewBox="0 0 96 40" width="96" height="40" fill="none" aria-hidden className="mb-2 text-edge">
        <path d="M4 8h88M4 32h88" stroke="currentColor" strokeWidth="1.5" strokeDasharray="3 5" strokeLinecap="round" />
        <circle cx="62" cy="20" r="5" stroke="var(--accent)" strokeWidth="1.5" />
      </svg>
      <h2 className="font-semibold">{title}</h2>
      <div className="text-dim">{children}</div>
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
