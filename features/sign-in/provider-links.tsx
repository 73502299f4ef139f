import type { ReactNode } from "react";
import { getButtonClass } from "@/components/ui/button";
import { type ProviderLink, type ProviderPurpose, toProviderHref } from "@/features/session/provider-href";

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
