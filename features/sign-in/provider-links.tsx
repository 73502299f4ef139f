import type { ReactNode } from "react";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { type ProviderLink, type ProviderPurpose, toProviderHref } from "@/features/session/provider-href";
import { HOME_PATH } from "@/features/sign-in/next-path";

interface ProviderLinksProps {
  providers: readonly ProviderLink[];
  next: string;
  purpose?: ProviderPurpose;
  /** Another way, shown before them. */
  children?: ReactNode;
}

/**
 * Sign-in with identity providers. Plain links, because Next would prefetch them and so start a sign-in before the
 * click.
 */
export function ProviderLinks({ providers, next, purpose, children }: ProviderLinksProps) {
  if (providers.length === 0 && !children) return null;
  return (
    <div className="mt-6 grid gap-2.5">
      <p className="flex items-center gap-3 text-xs13 text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {children}
      {providers.map(({ id, name }) => (
        <a key={id} href={toProviderHref(id, next, purpose)} className={`${getButtonClass("secondary")} h-10`}>
          Continue with {name}
        </a>
      ))}
    </div>
  );
}

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
