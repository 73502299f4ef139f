"use client";

import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from "@simplewebauthn/browser";
import { useActionState, useEffect, useRef } from "react";
import { Notice } from "@/components/ui/notice";
import { type FormAction, UNSENT } from "@/features/forms/action-state";
import { askForPasskey, PasskeyButton, submitWith } from "@/features/forms/sign-in-again";

interface PasskeyFormProps {
  action: FormAction;
  next: string;
  /** Whether the page has a field in which the browser can offer passkeys. */
  autofill: boolean;
}

const CHALLENGE_PATH = "/sign-in/passkey";

/** Signs in with a passkey: with the button, or with one that the browser offers in the field of the e-mail address. */
export function PasskeyForm({ action, next, autofill }: PasskeyFormProps) {
  const [state, formAction] = useActionState(action, UNSENT);
  const formRef = useRef<HTMLFormElement>(null);

  // Again after a refusal, because a challenge is used once.
  useEffect(() => {
    if (!autofill) return;
    let ended = false;
    void offer().catch(() => {
      // The visitor did not choose a passkey, or used the button.
    });
    async function offer(): Promise<void> {
      if (!(await browserSupportsWebAuthnAutofill()) || ended) return;
      const fields = await askForPasskey(CHALLENGE_PATH, { autofill });
      if (!ended && formRef.current !== null) submitWith(formRef.current, fields);
    }
    return () => {
      ended = true;
      WebAuthnAbortService.cancelCeremony();
    };
  }, [autofill, state]);

  return (
    <form ref={formRef} action={formAction} className="grid gap-2.5">
      {state.error !== undefined && <Notice tone="error">{state.error}</Notice>}
      <input type="hidden" name="next" value={next} />
      <PasskeyButton path={CHALLENGE_PATH} className="h-10 w-full">
        Sign in with a passkey
      </PasskeyButton>
    </form>
  );
}
