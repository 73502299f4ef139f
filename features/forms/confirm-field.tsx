"use client";

import { useId } from "react";
import { TextField } from "@/components/ui/field";
import { SignInAgain, useIdentityProviders } from "@/features/forms/identity-providers";

interface ConfirmFieldProps {
  /** Whether the password was given a moment ago, and need not be asked for. */
  confirmed: boolean;
  hint?: string;
}

/** Asks for the owner's password before what matters. The server decides whether it is needed, not this field. */
export function ConfirmField({ confirmed, hint = "You will not be asked again for ten minutes." }: ConfirmFieldProps) {
  const id = useId();
  const providers = useIdentityProviders();
  if (confirmed) return null;
  if (providers !== null) return <SignInAgain />;
  return (
    <TextField
      id={id}
      name="password"
      label="Your password"
      type="password"
      autoComplete="current-password"
      maxLength={200}
      hint={hint}
    />
  );
}
