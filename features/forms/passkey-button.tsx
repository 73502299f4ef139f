"use client";

import { KeyRound } from "lucide-react";
import { type MouseEvent, type ReactNode, useState } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { askForPasskey, describeProblem, submitWith, usePasskeySupport } from "@/features/forms/use-passkey";

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
