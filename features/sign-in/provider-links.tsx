import { getButtonClass } from "@/components/ui/button";
import { type ProviderLink, toProviderHref } from "@/features/session/provider-href";

interface ProviderLinksProps {
  providers: readonly ProviderLink[];
  next: string;
  /** The secret of the invitation link. */
  invitation?: string | null;
}

/**
 * Sign-in with identity providers. Plain links, because Next would prefetch them and so start a sign-in before the
 * click.
 */
export function ProviderLinks({ providers, next, invitation }: ProviderLinksProps) {
  if (providers.length === 0) return null;
  return (
    <div className="mt-6 grid gap-2.5">
      <p className="flex items-center gap-3 text-xs13 text-faint before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </p>
      {providers.map(({ id, name }) => (
        <a
          key={id}
          href={toProviderHref(id, next, invitation ? { invitation } : {})}
          className={`${getButtonClass("secondary")} h-10`}
        >
          Continue with {name}
        </a>
      ))}
    </div>
  );
}
