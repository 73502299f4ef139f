"use client";

import { usePathname } from "next/navigation";
import { getButtonClass } from "@/components/ui/button";
import { useConfirmationWays } from "@/features/forms/confirmation-ways";
import { PasskeyButton } from "@/features/forms/passkey-button";
import { toProviderHref } from "@/features/session/provider-href";

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
