import type { Metadata } from "next";
import { Wordmark } from "@/components/shell/wordmark";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";

export const metadata: Metadata = { title: "Not found" };

export default function NotFoundPage() {
  return (
    <div className="grid min-h-dvh grid-rows-[auto_1fr]">
      <header className="px-5 py-5 sm:px-10">
        <Wordmark />
      </header>
      <main id="content" className="grid place-items-center">
        <EmptyState
          title="Page not found"
          heading="h1"
          action={
            <Link href="/" className={getButtonClass("secondary")}>
              Go to the first page
            </Link>
          }
        >
          The address may be mistyped, or the page may have moved.
        </EmptyState>
      </main>
    </div>
  );
}
