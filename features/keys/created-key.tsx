"use client";

import { useRouter } from "next/navigation";
import { useEffect, useState } from "react";
import { writeCurl } from "@/components/shared/api-call/write-code";
import { Button } from "@/components/ui/button";
import { CopyButton } from "@/components/ui/copy-button";
import { Dialog } from "@/components/ui/dialog";
import { Link } from "@/components/ui/link";
import { CHECK_CLASS } from "@/components/ui/pill";
import type { KeySecret } from "@/features/keys/types";

const ONCE = "The key is shown only once. Spotline stores only its hash and cannot show it again.";

/** Shows a new secret once, until the owner confirms that it is stored. */
export function CreatedKey({ label, secret, origin }: KeySecret) {
  const [stored, setStored] = useState(false);
  const [done, setDone] = useState(false);
  const router = useRouter();
  const curl = writeCurl(`${origin}/v1/quote?symbol=EURUSD`, secret);

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
          <h2 className="font-semibold">Store the key “{label}” now</h2>
          <p className="mt-1 text-dim">{ONCE}</p>
          <pre className="numerals mt-3 text-xs13 break-all whitespace-pre-wrap">{curl}</pre>
          <p className="mt-3">
            <Link href="/keys" className="text-accent-ink underline underline-offset-4">
              I have stored this key. Go to all keys.
            </Link>
          </p>
        </div>
      </noscript>
      <Dialog open={!done} title={`Store the key “${label}” now`} wide>
        <p className="mt-1 text-dim">{ONCE}</p>
        <SecretBox id="secret" title="Key" text={secret} />
        <SecretBox id="curl" title="First call" text={curl} />
        <div className="mt-5 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
          <label className="flex items-center gap-2.5 py-1">
            <input
              type="checkbox"
              checked={stored}
              onChange={(event) => setStored(event.target.checked)}
              className={CHECK_CLASS}
            />
            I have stored this key
          </label>
          <Button
            look="primary"
            disabled={!stored}
            onClick={() => {
              setDone(true);
              router.push("/keys");
            }}
          >
            Done
          </Button>
        </div>
      </Dialog>
    </>
  );
}

function SecretBox({ id, title, text }: { id: string; title: string; text: string }) {
  return (
    <div className="mt-4">
      <div className="mb-1.5 flex items-center justify-between">
        <h3 className="text-xs13 text-dim">{title}</h3>
        <CopyButton text={text} label={title} selectId={id} />
      </div>
      <pre
        id={id}
        tabIndex={0}
        aria-label={title}
        className="numerals overflow-x-auto rounded-md border border-line bg-bg px-3 py-2.5 text-xs13 leading-6 break-all whitespace-pre-wrap select-all"
      >
        {text}
      </pre>
    </div>
  );
}
