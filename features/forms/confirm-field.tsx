"use client";

import { createContext, type ReactNode, useContext, useId } from "react";
import { TextField } from "@/components/ui/field";
import { ConfirmWithPasskey, SignInAgain } from "@/features/forms/sign-in-again";
import type { ProviderLink } from "@/features/session/provider-href";

interface ConfirmFieldProps {
  /** Whether the password was confirmed a moment ago, in which case the field is hidden. */
  confirmed: boolean;
  hint?: string;
}

/** Asks for the owner's password or passkey before a sensitive change. The server decides whether it is needed. */
export function ConfirmField({ confirmed, hint = "This confirmation lasts for ten minutes." }: ConfirmFieldProps) {
  const id = useId();
  const { providers } = useConfirmationWays();
  if (confirmed) return null;
  if (providers !== null) return <SignInAgain />;
  return (
    <>
      <TextField
        id={id}
        name="password"
        label="Your password"
        type="password"
        autoComplete="current-password"
        maxLength={200}
        hint={hint}
      />
      <ConfirmWithPasskey />
    </>
  );
}

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
