"use client";

import { useId } from "react";
import { TextField } from "@/components/ui/field";
import { useConfirmationWays } from "@/features/forms/confirmation-ways";
import { ConfirmWithPasskey, SignInAgain } from "@/features/forms/sign-in-again";

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
