import type { ApiRequest } from "@/components/shared/api-call/write-code";
import { TIMEFRAMES } from "@/features/overview/data";
import type { OverviewData } from "@/features/overview/types";

/** The next two weeks, which the overview searches for releases. */
const HOURS_AHEAD = 14 * 24;

/** The calls behind the parts that are not prices, without those that the account's plan does not include. */
export function listApiRequests({ calendar }: Pick<OverviewData, "calendar">): ApiRequest[] {
  const releases = { impact: "high", next_hours: HOURS_AHEAD };
  return [
    { path: "/v1/sessions" },
    ...(calendar.isLocked ? [] : [{ path: "/v1/calendar", query: releases } as const]),
    ...TIMEFRAMES.map((timeframe) => ({ path: "/v1/heatmap", query: { type: "strength", timeframe } }) as const),
    { path: "/v1/monitor/account" },
  ];
}
