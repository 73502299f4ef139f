"use client";

import { useRouter } from "next/navigation";
import { startTransition, useEffect } from "react";
import { Button } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";

/** What a page shows in place of what it could not read. It is rendered again every few seconds, until it can. */

const RETRY_MS = 5_000;
/** Several parts of a page retry together. */
let retriedAtMs = -Infinity;

/** Renders the page again every few seconds while its tab is seen. Returns a function that does so at once. */
export function useRetry(reset?: () => void): () => void {
  const router = useRouter();
  const retry = () => {
    retriedAtMs = performance.now();
    startTransition(() => {
      router.refresh();
      reset?.();
    });
  };
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden && performance.now() - retriedAtMs > RETRY_MS / 2) retry();
    }, RETRY_MS);
    return () => clearInterval(timer);
  });
  return retry;
}

/** Retries without a word, for what the page does not show as long as it is missing. */
export function QuietRetry() {
  useRetry();
  return null;
}

/** In place of one part. `what` is the subject of the sentence: "The usual spreads". */
export function LatePart({ what }: { what: string }) {
  useRetry();
  return (
    <p role="status" className="max-w-prose px-4 py-3 text-xs13 text-dim max-md:px-3">
      {what} cannot be read at the moment. Trying again every few seconds.
    </p>
  );
}

/** In place of a whole page, or of the whole window, which then has no other heading. */
export function LatePage({ isAlone = false }: { isAlone?: boolean }) {
  const retry = useRetry();
  return (
    <div className="grid min-h-[70dvh] place-items-center">
      <EmptyState
        heading={isAlone ? "h1" : "h2"}
        title="The database does not answer"
        action={<Button onClick={retry}>Try again</Button>}
      >
        <p role="status">
          This page cannot be read at the moment. Nothing is lost. It is tried again every few seconds, and appears by
          itself.
        </p>
      </EmptyState>
    </div>
  );
}
