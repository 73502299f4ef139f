"use client";

import dynamic from "next/dynamic";

const FiredNotices = dynamic(() => import("@/features/alerts/watch/fired-notices").then((each) => each.FiredNotices));

/** Shows what fires on every page of the dashboard. For an account without alerts it loads nothing. */
export function AlertWatch({ accountId, hasAlerts }: { accountId: string; hasAlerts: boolean }) {
  return hasAlerts && <FiredNotices accountId={accountId} />;
}
