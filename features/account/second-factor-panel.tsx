"use client";

import { type ReactNode, useActionState } from "react";
import { TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import { RecoveryCodeList } from "@/features/account/recovery-code-list";
import { SignInAgain, useVouchers } from "@/features/forms/sign-in-again";
import { CodeField } from "@/features/sign-in/code-form";

export type SecondFactorIntent = "begin" | "confirm" | "renew" | "disable";

export interface SecondFactorFormState {
  /** Which form the errors belong to. */
  readonly intent?: SecondFactorIntent;
  readonly passwordError?: string;
  readonly codeError?: string;
  readonly error?: string;
  /** Shown once. */
  readonly recoveryCodes?: readonly string[];
  readonly disabled?: true;
}

interface SecondFactorPanelProps {
  action: (state: SecondFactorFormState, form: FormData) => Promise<SecondFactorFormState>;
  stage: "off" | "enrolling" | "on";
  /** Whether the password was given a moment ago and beginning needs none; the server decides. */
  confirmed: boolean;
  /** The picture and the secret, while enrolling. */
  secret: ReactNode;
}

/** Every step of a second factor, as one form at a time; it works without a script. */
export function SecondFactorPanel({ action, stage, confirmed, secret }: SecondFactorPanelProps) {
  const hasPassword = useVouchers() === null;
  const [state, formAction] = useActionState(action, {});
  const form = (intent: SecondFactorIntent, button: string, look: "primary" | "secondary" | "danger") => {
    const errors = state.intent === intent ? state : {};
    // What takes protection away asks for the password even if it was given a moment ago.
    const asks = intent !== "confirm" && (!confirmed || (hasPassword && intent !== "begin"));
    return (
      <form action={formAction} className="grid gap-4">
        {errors.error !== undefined && <Notice tone="error">{errors.error}</Notice>}
        <input type="hidden" name="intent" value={intent} />
        {asks && !hasPassword && <SignInAgain />}
        {asks && hasPassword && (
          <TextField
            id={`${intent}-password`}
            name="password"
            label="Your password"
            type="password"
            autoComplete="current-password"
            required
            maxLength={200}
            error={errors.passwordError}
          />
        )}
        {intent !== "begin" && (
          <CodeField
            id={`${intent}-code`}
            recovery={intent !== "confirm"}
            label={intent === "confirm" ? "Code that the app shows" : "Code from your app, or a recovery code"}
            placeholder="123 456"
            error={errors.codeError}
          />
        )}
        <div className="flex justify-end">
          <SubmitButton look={look}>{button}</SubmitButton>
        </div>
      </form>
    );
  };
  return (
    <div className="grid gap-5">
      {state.recoveryCodes !== undefined && <RecoveryCodeList codes={state.recoveryCodes} />}
      {state.disabled && stage === "off" && (
        <div role="status">
          <Notice tone="note">The second factor is off. Signing in needs your password alone.</Notice>
        </div>
      )}
      {stage === "off" && form("begin", "Set up", "primary")}
      {stage === "enrolling" && (
        <>
          {secret}
          {form("confirm", "Turn on", "primary")}
          <details className="disclosure">
            <summary>Start again with another secret</summary>
            <div className="pt-4">{form("begin", "Make another secret", "secondary")}</div>
          </details>
        </>
      )}
      {stage === "on" && (
        <>
          <details className="disclosure" open={state.intent === "renew" && state.recoveryCodes === undefined}>
            <summary>New recovery codes</summary>
            <div className="pt-4">{form("renew", "Replace the recovery codes", "secondary")}</div>
          </details>
          <details className="disclosure" open={state.intent === "disable"}>
            <summary>Turn it off</summary>
            <div className="pt-4">{form("disable", "Turn the second factor off", "danger")}</div>
          </details>
        </>
      )}
    </div>
  );
}
