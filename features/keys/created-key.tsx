"use client";

import { useRouter } from "next/navigation";
import { lazy, Suspense } from "react";
import { writeCurl } from "@/components/shared/write-curl";
import { SecretDialog } from "@/features/forms/secret-dialog";
import type { KeySecret } from "@/features/keys/types";

const CodeText = lazy(() => import("@/components/shared/code-text").then((module) => ({ default: module.CodeText })));
const ONCE = "The key is shown only once. Spotline stores only its hash and cannot show it again.";

/** Shows a new key once. */
export function CreatedKey({ label, secret, origin }: KeySecret) {
  const router = useRouter();
  const curl = writeCurl(`${origin}/v1/quote?symbol=EURUSD`, secret);
  return (
    <SecretDialog
      title={`Store the key “${label}” now`}
      text={ONCE}
      boxes={[
        { id: "secret", title: "Key", text: secret },
        {
          id: "curl",
          title: "First call",
          text: curl,
          shown: (
            <Suspense fallback={curl}>
              <CodeText language="sh">{curl}</CodeText>
            </Suspense>
          ),
        },
      ]}
      promise="I have stored this key"
      plain={{ text: curl, href: "/keys", link: "Go to all keys." }}
      onDone={() => router.push("/keys")}
    />
  );
}
