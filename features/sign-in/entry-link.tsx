import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { HOME_PATH } from "@/features/sign-in/next-path";

interface EntryLinkProps {
  question: string;
  path: "/sign-in" | "/sign-up";
  /** Where to go after signing in. */
  next: string;
  children: ReactNode;
}

/** The link from signing in to signing up, or back. */
export function EntryLink({ question, path, next, children }: EntryLinkProps) {
  const href = next === HOME_PATH ? path : `${path}?next=${encodeURIComponent(next)}`;
  return (
    <p className="mt-6 text-dim">
      {question}{" "}
      <Link href={href} className="text-accent-ink underline underline-offset-4">
        {children}
      </Link>
    </p>
  );
}
