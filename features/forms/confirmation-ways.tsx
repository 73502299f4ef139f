"use client";

import { usePathname } from "next/navigation";
import { createContext, type ReactNode, useContext } from "react";
import { getButtonClass } from "@/components/ui/button";
import { PasskeyButton } from "@/features/forms/passkey-button";
import { type ProviderLink, toProviderHref } from "@/features/session/provider-href";

interface Ways {
  /** The identity providers that can confirm the owner of an account without a password; null for an account with one. */
  readonly providers: readonly ProviderLink[] | null;
  /** Whether the account has a passkey that is valid at this address. */
  readonly hasPasskey: boolean;
}

const Confirmation = createContext<Ways>({ providers: null, hasPasskey: false });

/** Tells the forms inside how the signed-in account can be confirmed. */
export function ConfirmationWays({ providers, hasPasskey, children }: Ways & { children: ReactNode }) {
  return <Confirmation value={{ providers, hasPasskey }}>{children}</Confirmation>;
}

export function useConfirmationWays(): Ways {
  return useContext(Confirmation);
}

/** Confirms the change with a passkey in place of the password, and sends the form around it. */
export function ConfirmWithPasskey() {
  if (!useConfirmationWays().hasPasskey) return null;
  return <PasskeyButton path="/account/passkey">Confirm with a passkey</PasskeyButton>;
}

/** Replaces the password field for an account without a password. Leads back to this page. */
export function SignInAgain() {
  const { providers, hasPasskey } = useConfirmationWays();
  const here = usePathname();
  return (
    <div className="grid gap-2">
      <p className="text-xs13 text-dim">
        Your account has no password. {hasPasskey ? "Use a passkey" : "Sign in again"} to confirm this change. The
        confirmation lasts for ten minutes.
      </p>
      <ConfirmWithPasskey />
      {(providers ?? []).map(({ id, name }) => (
        <a key={id} href={toProviderHref(id, here, { for: "confirm" })} className={getButtonClass("secondary")}>
          Sign in again with {name}
        </a>
      ))}
    </div>
  );
}
