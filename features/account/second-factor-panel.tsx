"use client";

import { type ReactNode, useActionState } from "react";
import { CopyButton } from "@/components/ui/copy-button";
import { TextField } from "@/components/ui/field";
import { Figure } from "@/components/ui/figure";
import { Notice } from "@/components/ui/notice";
import { SubmitButton } from "@/components/ui/submit-button";
import type { SecondFactorIntent, SecondFactorResult } from "@/features/account/second-factor-steps";
import { type FormAction, UNSENT } from "@/features/forms/action-state";
import { useConfirmationWays } from "@/features/forms/confirmation-ways";
import { ConfirmWithPasskey, SignInAgain } from "@/features/forms/sign-in-again";
import { CodeField } from "@/features/sign-in/code-form";

interface SecondFactorPanelProps {
  action: FormAction<SecondFactorResult, { intent: SecondFactorIntent | undefined }>;
  stage: "off" | "enrolling" | "on";
  /** Whether this installation requires it, so that it cannot be turned off. */
  isRequired: boolean;
  /** Whether the password was confirmed a moment ago. Setting up then asks for no password. The server checks again. */
  confirmed: boolean;
  /** The picture and the secret, while enrolling. */
  secret: ReactNode;
}

/** Every step of a second factor, as one form at a time; it works without a script. */
export function SecondFactorPanel({ action, stage, isRequired, confirmed, secret }: SecondFactorPanelProps) {
  const { providers, hasPasskey } = useConfirmationWays();
  const hasPassword = providers === null;
  const [state, formAction] = useActionState(action, UNSENT);
  const { values, errors = {}, result } = state;
  const isRefused = (intent: SecondFactorIntent) => !state.done && values?.intent === intent;
  const form = (intent: SecondFactorIntent, button: string, look: "primary" | "secondary" | "danger") => {
    const own = isRefused(intent) ? errors : {};
    // Replacing the codes and turning it off need the password even after a recent confirmation.
    const needsConfirmation = intent !== "confirm" && (!confirmed || (hasPassword && intent !== "begin"));
    return (
      <form action={formAction} className="grid gap-4">
        {isRefused(intent) && state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
        <input type="hidden" name="intent" value={intent} />
        {needsConfirmation && !hasPassword && <SignInAgain />}
        {needsConfirmation && hasPassword && (
          <TextField
            id={`${intent}-password`}
            name="password"
            label="Your password"
            type="password"
            autoComplete="current-password"
            required={!hasPasskey}
            maxLength={200}
            error={own.password}
          />
        )}
        {intent !== "begin" && (
          <CodeField
            id={`${intent}-code`}
            recovery={intent !== "confirm"}
            label={intent === "confirm" ? "Code that the app shows" : "Code from your app, or a recovery code"}
            placeholder="123 456"
            error={own.code}
          />
        )}
        {needsConfirmation && hasPassword && <ConfirmWithPasskey />}
        <div className="flex">
          <SubmitButton look={look}>{button}</SubmitButton>
        </div>
      </form>
    );
  };
  return (
    <div className="grid gap-5">
      {result?.recoveryCodes !== undefined && <RecoveryCodeList codes={result.recoveryCodes} />}
      {result?.disabled && stage === "off" && (
        <div role="status">
          <Notice tone="note">The second factor is off. You sign in with your password only.</Notice>
        </div>
      )}
      {stage === "off" && form("begin", "Set up", "primary")}
      {stage === "enrolling" && (
        <>
          {secret}
          {form("confirm", "Turn on", "primary")}
          <details>
            <summary className="cursor-pointer py-1">Start again with another secret</summary>
            <div className="pt-4">{form("begin", "Make another secret", "secondary")}</div>
          </details>
        </>
      )}
      {stage === "on" && (
        <>
          <details open={isRefused("renew")}>
            <summary className="cursor-pointer py-1">New recovery codes</summary>
            <div className="pt-4">{form("renew", "Replace the recovery codes", "secondary")}</div>
          </details>
          {!isRequired && (
            <details open={isRefused("disable")}>
              <summary className="cursor-pointer py-1">Turn it off</summary>
              <div className="pt-4">{form("disable", "Turn the second factor off", "danger")}</div>
            </details>
          )}
        </>
      )}
    </div>
  );
}

/** New recovery codes. They are shown only once. */
function RecoveryCodeList({ codes }: { codes: readonly string[] }) {
  return (
    <div role="status" className="grid gap-3 rounded-md border border-accent-ink p-4">
      <div className="flex items-center justify-between gap-3">
        <h3 className="font-medium">Store these recovery codes now</h3>
        <CopyButton text={codes.join("\n")} label="Recovery codes" selectId="recovery-codes" />
      </div>
      <p className="text-xs13 text-dim">
        Each code signs you in once if you do not have your device. Do not store them with your password.
      </p>
      <Figure as="ol" id="recovery-codes" className="grid gap-x-6 gap-y-1.5 text-xs13 sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </Figure>
      <Notice tone="note">These codes are shown only once. Spotline stores only their hashes.</Notice>
    </div>
  );
}
