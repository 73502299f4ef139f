import type { ReactNode } from "react";

interface EmptyStateProps {
  title: string;
  /** "h1" where this is the whole page. */
  heading?: "h1" | "h2";
  /** The drawing in `public/art.svg`, which stays out of the scripts of pages. */
  art?: "alert" | "bell" | "calls" | "file" | "key" | "letter" | "prices" | "record" | "screen" | "search";
  children: ReactNode;
  action?: ReactNode;
}

/** Explains what is missing, why, and what to do about it. */
export function EmptyState({ title, heading: Heading = "h2", art = "prices", children, action }: EmptyStateProps) {
  return (
    <div className="mx-auto grid max-w-md justify-items-center gap-2 px-4 py-16 text-center">
      <svg width="160" height="72" fill="none" aria-hidden className="mb-2 text-edge">
        <use href={`/art.svg#${art}`} />
      </svg>
      <Heading className="font-semibold">{title}</Heading>
      <div className="text-balance text-dim">{children}</div>
      {action && <div className="mt-3">{action}</div>}
    </div>
  );
}
