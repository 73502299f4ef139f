"use client";

import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

interface FailedPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/** Shown in place of a page that failed. The log has the error under the digest; the page shows only the digest. */
export function FailedPage({ error, reset }: FailedPageProps) {
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <EmptyState heading="h1" title="This page could not be shown" action={<Button onClick={reset}>Try again</Button>}>
        <p role="alert">Something went wrong on our side. Your data was not changed.</p>
        {error.digest !== undefined && (
          <p className="mt-1 text-xs13 text-faint">
            Reference <code className="numerals">{error.digest}</code>
          </p>
        )}
      </EmptyState>
    </div>
  );
}
