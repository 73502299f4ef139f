"use client";

import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from "@simplewebauthn/browser";
import { KeyRound } from "lucide-react";
import { usePathname } from "next/navigation";
import { type MouseEvent, type ReactNode, useState, useSyncExternalStore } from "react";
import { Button, getButtonClass } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { useConfirmationWays } from "@/features/forms/confirmation-ways";
import { CREATED_FIELDS, USED_FIELDS } from "@/features/forms/passkey-answer";
import { toProviderHref } from "@/features/session/provider-href";
import type { PasskeyChallenge } from "@/lib/access/sign-in/passkeys";

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

interface PasskeyButtonProps {
  /** The path that answers with the challenge. */
  path: string;
  children: ReactNode;
  className?: string;
}

/** Asks for a passkey, then submits the form around the button with it. Hidden in browsers that cannot. */
export function PasskeyButton({ path, children, className = "" }: PasskeyButtonProps) {
  const [problem, setProblem] = useState<string | null>(null);
  const [pending, setPending] = useState(false);
  if (!usePasskeySupport()) return null;

  async function send({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>): Promise<void> {
    // The other fields first, so that the passkey is not used in vain.
    if (form === null || pending || !form.reportValidity()) return;
    setPending(true);
    setProblem(null);
    try {
      submitWith(form, await askForPasskey(path));
    } catch (error) {
      setProblem(describeProblem(error));
    }
    setPending(false);
  }

  return (
    <div className="grid gap-2.5 noscript:hidden">
      {problem !== null && <Notice tone="error">{problem}</Notice>}
      <Button className={className} aria-disabled={pending} onClick={(event) => void send(event)}>
        <KeyRound aria-hidden size={16} />
        {children}
      </Button>
    </div>
  );
}

/** The browser's part of passkeys. Each function resolves with the fields to send with a form. */

/** Loaded when a passkey is used, because every page has forms that may ask for one. */
const loadLibrary = () => import("@simplewebauthn/browser");

type Fields = Readonly<Record<string, string>>;

const PROBLEMS: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was used. Try again, or choose another way.",
  InvalidStateError: "This device has a passkey of your account already.",
  SecurityError: "Passkeys of this site are not valid at this address. Open the site at its own address.",
};

/** Asks the user for a passkey. `path` answers with the challenge. With `autofill`, the browser offers it in a field. */
export async function askForPasskey(path: string, { autofill = false } = {}): Promise<Fields> {
  const answer = await fetch(path, { method: "POST" });
  if (!answer.ok) throw new Error(`The server answered with ${answer.status}.`);
  const { options, ticket } = (await answer.json()) as PasskeyChallenge<PublicKeyCredentialRequestOptionsJSON>;
  const { startAuthentication } = await loadLibrary();
  const response = await startAuthentication({ optionsJSON: options, useBrowserAutofill: autofill });
  return { [USED_FIELDS.response]: JSON.stringify(response), [USED_FIELDS.ticket]: ticket };
}

/** Asks the user to create a passkey. */
export async function createPasskey({
  options,
  ticket,
}: PasskeyChallenge<PublicKeyCredentialCreationOptionsJSON>): Promise<Fields> {
  const { startRegistration } = await loadLibrary();
  const response = await startRegistration({ optionsJSON: options });
  return { [CREATED_FIELDS.response]: JSON.stringify(response), [CREATED_FIELDS.ticket]: ticket };
}

/** Submits a form with more fields. They are not in the page, so that they are sent only once. */
export function submitWith(form: HTMLFormElement, fields: Fields): void {
  const add = ({ formData }: FormDataEvent) => {
    for (const [name, value] of Object.entries(fields)) formData.set(name, value);
  };
  form.addEventListener("formdata", add);
  form.requestSubmit();
  form.removeEventListener("formdata", add);
}

/** Says why no passkey was used; null if another request for one replaced it. */
export function describeProblem(error: unknown): string | null {
  const name = error instanceof Error ? error.name : "";
  return name === "AbortError"
    ? null
    : (PROBLEMS[name] ?? "The passkey could not be used. Try again, or choose another way.");
}

/** Whether the browser knows passkeys. True on the server, so that pages do not move when they load. */
export function usePasskeySupport(): boolean {
  return useSyncExternalStore(subscribe, knowsPasskeys, () => true);
}

const knowsPasskeys = () => typeof PublicKeyCredential === "function";

const subscribe = () => () => {};
