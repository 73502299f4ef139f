"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext } from "react";
import { getButtonClass } from "@/components/ui/button";
import { type ProviderLink, toProviderHref } from "@/features/session/provider-href";

/** The identity providers that can confirm the owner of an account without a password; null for an account with one. */
const Providers = createContext<readonly ProviderLink[] | null>(null);

/** Provides the identity providers of the signed-in account to the forms inside. */
export function IdentityProviders({
  providers,
  children,
}: {
  providers: readonly ProviderLink[] | null;
  children: ReactNode;
}) {
  return <Providers value={providers}>{children}</Providers>;
}

export function useIdentityProviders(): readonly ProviderLink[] | null {
  return useContext(Providers);
}

/** Replaces the password field for an account without a password. Leads back to this page. */
export function SignInAgain() {
  const providers = useIdentityProviders() ?? [];
  const here = usePathname();
  return (
    <div className="grid gap-2">
      <p className="text-xs13 text-dim">
        Your account has no password. Sign in again to confirm this change. You will not be asked again for ten minutes.
      </p>
      {providers.map(({ id, name }) => (
        <a key={id} href={toProviderHref(id, here, { for: "confirm" })} className={getButtonClass("secondary")}>
          Sign in again with {name}
        </a>
      ))}
    </div>
  );
}
