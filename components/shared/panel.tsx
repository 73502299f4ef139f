"use client";

import { LockKeyhole } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "@/components/ui/link";
import { Skeleton } from "@/components/ui/skeleton";

/** What a panel of a screen shows in place of its data, or above it. */

/** While the first data loads. */
export function PanelLoading({ what }: { what: string }) {
  return (
    <div className="grid content-start gap-2.5 p-3">
      <p role="status" className="sr-only">
        Loading {what}
      </p>
      {[100, 92, 96, 70].map((percent) => (
        <span key={percent} style={{ inlineSize: `${percent}%` }}>
          <Skeleton className="h-4" />
        </span>
      ))}
    </div>
  );
}

/** Why there is nothing to show, and what to do about it. */
export function PanelMessage({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="grid h-full min-h-24 content-center justify-items-center gap-1 p-4 text-center text-xs13">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="max-w-[22rem] text-balance text-dim">{children}</div>}
    </div>
  );
}

/** In place of data that the plan does not include. `plans` do: "Starter and Pro". */
export function PanelLocked({ what, plans }: { what: string; plans: string }) {
  return (
    <div className="grid h-full min-h-24 content-center justify-items-center gap-1 p-4 text-center text-xs13">
      <LockKeyhole aria-hidden size={16} strokeWidth={1.75} className="text-faint" />
      <p className="max-w-[22rem] text-balance text-dim">
        {what} is included in {plans}.{" "}
        <Link href="/plan" className="text-accent-ink underline underline-offset-4">
          Compare plans
        </Link>
      </p>
    </div>
  );
}

/** Above data that is older than it should be. */
export function PanelStale() {
  return (
    <p role="alert" className="border-b border-line bg-panel px-3 py-1 text-xs12 text-down">
      The server is not responding. This may be out of date.
    </p>
  );
}
