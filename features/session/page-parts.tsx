import { setTimeout as pause } from "node:timers/promises";
import type { ReactNode } from "react";
import { PageHeader } from "@/components/shell/page-header";
import { LatePage } from "@/components/shell/try-again";
import { Wordmark } from "@/components/shell/wordmark";
import { isDatabaseUnavailable } from "@/lib/platform/database/database-errors";
import type { Logger } from "@/lib/platform/log/log";

/**
 * Pages fail in parts. What is in memory is always shown; what needs the database is read beside it, and says so while it
 * cannot be read.
 */

/** How long a part may delay its page. */
const LATE_MS = 2_000;

/** Resolves with null where the reading fails or is late. A failure of ours is logged. Never rejects. */
export async function readSoon<Value>(
  { log }: { readonly log: Pick<Logger, "error"> },
  reading: Promise<Value>,
  waitMs = LATE_MS,
): Promise<Value | null> {
  const read = reading.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) log.error({ err: error }, "a part of a page could not be read");
    return null;
  });
  return Promise.race([read, pause(waitMs, null, { ref: false })]);
}

/**
 * Defines a page that needs the database. While it cannot be reached, the page says so below its title; one without a
 * title, which stands for the whole window, with the name of the product.
 */
export function definePage<Props>(title: string | null, render: (props: Props) => Promise<ReactNode>) {
  return async function Page(props: Props): Promise<ReactNode> {
    try {
      return await render(props);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      return title === null ? (
        <>
          <header className="flex h-12 items-center px-4.5">
            <Wordmark />
          </header>
          <main id="content">
            <LatePage isAlone />
          </main>
        </>
      ) : (
        <>
          <PageHeader title={title} />
          <LatePage />
        </>
      );
    }
  };
}
