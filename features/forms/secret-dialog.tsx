"use client";

import { type ReactNode, useEffect, useState } from "react";
import { CHECK_CLASS } from "@/components/ui/badge";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Figure } from "@/components/ui/figure";
import { Link } from "@/components/ui/link";

interface Box {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  /** The text with its colours. */
  readonly shown?: ReactNode;
}

interface SecretDialogProps {
  title: string;
  /** Why it must be stored now. */
  text: string;
  /** The secret, and how it is used. */
  boxes: readonly Box[];
  /** What the owner confirms: "I have stored this key". */
  promise: string;
  /** Without a script: what is shown of it, and the link that leads on. */
  plain: { readonly text: string; readonly href: string; readonly link: string };
  onDone: () => void;
}

/** Shows a new secret once, until the owner confirms that it is stored. */
export function SecretDialog({ title, text, boxes, promise, plain, onDone }: SecretDialogProps) {
  const [stored, setStored] = useState(false);
  const [done, setDone] = useState(false);

  useEffect(() => {
    if (stored) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, [stored]);

  return (
    <>
      {/* A dialog needs a script. Without scripts the secret is shown at the top of the page. */}
      <noscript>
        <div className="mx-3 mb-6 max-w-2xl rounded-md border border-accent-ink p-4 md:mx-4">
          <h2 className="font-semibold">{title}</h2>
          <p className="mt-1 text-dim">{text}</p>
          <Figure as="pre" className="mt-3 text-xs13 break-all whitespace-pre-wrap">
            {plain.text}
          </Figure>
          <p className="mt-3">
            <Link href={plain.href} className="text-accent-ink underline underline-offset-4">
              {promise}. {plain.link}
            </Link>
          </p>
        </div>
      </noscript>
      <Dialog open={!done} title={title} wide>
        <p className="mt-1 text-dim">{text}</p>
        {boxes.map((box) => (
          <SecretBox key={box.id} {...box} />
        ))}
        <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <label className="flex items-center gap-2.5 py-1">
            <input
              type="checkbox"
              checked={stored}
              onChange={(event) => setStored(event.target.checked)}
              className={CHECK_CLASS}
            />
            {promise}
          </label>
          <Button
            look="primary"
            disabled={!stored}
            onClick={() => {
              setDone(true);
              onDone();
            }}
          >
            Done
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function SecretBox({ id, title, text, shown = text }: Box) {
  return (
    <div className="mt-4">
      <div className="mb-1.5 flex items-center justify-between">
        <h3 className="text-xs13 text-dim">{title}</h3>
        <CopyButton text={text} label={title} selectId={id} />
      </div>
      <Figure
        as="pre"
        id={id}
        tabIndex={0}
        aria-label={title}
        className="overflow-x-auto rounded-md border border-line bg-bg px-3 py-2.5 text-xs13 leading-6 break-all whitespace-pre-wrap select-all"
      >
        {shown}
      </Figure>
    </div>
  );
}
