"use client";

import { AlarmClock } from "lucide-react";
import { Link } from "@/components/ui/link";
import { findUnseen } from "@/features/alerts/watch/watch-state";
import { useNews, useWatch } from "@/features/alerts/watch/watch-store";

/** The number of alerts that fired within a day and were not seen, as a link to their page; nothing without any. */
export function AlertBadge({ accountId }: { accountId: string }) {
  const { firings } = useNews(accountId);
  const count = findUnseen(firings, useWatch()).length;
  if (count === 0) return null;
  return (
    <Link
      href="/alerts"
      aria-label={`Alerts, ${count} new`}
      className="inline-flex h-6 items-center gap-1 rounded-md bg-accent px-1.5 text-xs12 text-on-accent tabular-nums"
    >
      <AlarmClock aria-hidden size={13} />
      {count > 99 ? "99+" : count}
    </Link>
  );
}
