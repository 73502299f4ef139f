"use client";

import { useEffect } from "react";
import { isMissingScript, isOtherBuild, useUpgrade } from "@/components/shared/server-build";
import { useRetry } from "@/components/shell/try-again";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Figure } from "@/components/ui/figure";

interface FailedPageProps {
  error: Error & { digest?: string };
  reset: () => void;
}

/**
 * Shown in place of a page that failed. The log has the error under the digest; the page shows only the digest. The pages
 * of another build than the server's fail because the server does not know their scripts and actions.
 */
export function FailedPage({ error, reset }: FailedPageProps) {
  const upgrade = useUpgrade();
  useEffect(() => void isOtherBuild(), [error]);
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      {upgrade === null ? (
        <FailedState error={error} reset={reset} />
      ) : (
        <EmptyState heading="h1" title="Spotline was updated" action={<ReloadButton label="Reload" />}>
          <p role="alert">
            {upgrade.isUnsent
              ? "The form was not sent, and nothing was changed. A reload keeps what you typed, except passwords and codes."
              : "This page was opened before the update. A reload opens the new one."}
          </p>
        </EmptyState>
      )}
    </div>
  );
}

function FailedState({ error, reset }: FailedPageProps) {
  const isIncomplete = isMissingScript(error);
  // Its scripts cannot be loaded twice by one page.
  const retry = useRetry(isIncomplete ? reload : reset);
  if (isIncomplete) {
    return (
      <EmptyState heading="h1" title="This page could not be loaded" action={<ReloadButton label="Try again" />}>
        <p role="alert">
          A part of it did not arrive. The network or the server may be down. It is tried again every few seconds.
        </p>
      </EmptyState>
    );
  }
  return (
    <EmptyState heading="h1" title="This page could not be shown" action={<Button onClick={retry}>Try again</Button>}>
      <p role="alert">
        Something went wrong on our side. Your data was not changed. It is tried again every few seconds.
      </p>
      {error.digest !== undefined && (
        <p className="mt-1 text-xs13 text-faint">
          Reference <Figure as="code">{error.digest}</Figure>
        </p>
      )}
    </EmptyState>
  );
}

const reload = () => location.reload();

function ReloadButton({ label }: { label: string }) {
  return <Button onClick={reload}>{label}</Button>;
}
