"use client";

import { AlarmClock } from "lucide-react";
import dynamic from "next/dynamic";
import { Link } from "@/components/ui/link";
import { findUnseen, useNews, useWatch } from "@/features/alerts/watch-store";

const FiredNotices = dynamic(() => import("@/features/alerts/fired-notices").then((each) => each.FiredNotices));

/** Shows what fires on every page of the dashboard. For an account without alerts it loads nothing. */
export function AlertWatch({ accountId, hasAlerts }: { accountId: string; hasAlerts: boolean }) {
  return hasAlerts && <FiredNotices accountId={accountId} />;
}

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
      <span translate="no">{count > 99 ? "99+" : count}</span>
    </Link>
  );
}
