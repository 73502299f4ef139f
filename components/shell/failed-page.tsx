"use client";

import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** What stands where a page could not be drawn. Causes are in the server's log under the digest, never on the page. */
export function FailedPage({ error, reset }: { error: Error & { digest?: string }; reset: () => void }) {
  return (
    <EmptyState heading="h1" title="This page could not be shown" action={<Button onClick={reset}>Try again</Button>}>
      <p role="alert">Something failed on our side. Your data is as it was.</p>
      {error.digest !== undefined && (
        <p className="mt-1 text-[0.8125rem] text-faint">
          Reference <code className="numerals">{error.digest}</code>
        </p>
      )}
    </EmptyState>
  );
}
