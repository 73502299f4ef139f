import Link from "next/link";
import type { ReactNode } from "react";
import { HOME_PATH } from "@/features/sign-in/next-path";

interface OtherDoorProps {
  question: string;
  path: "/sign-in" | "/sign-up";
  /** Where to go once inside. */
  next: string;
  children: ReactNode;
}

/** The way from signing in to signing up, and back. */
export function OtherDoor({ question, path, next, children }: OtherDoorProps) {
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
