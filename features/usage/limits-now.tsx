"use client";

import type { ReactNode } from "react";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { DayQuota, Quota } from "@/features/usage/day-quota";
import { MinuteList } from "@/features/usage/minute-list";
import type { LimitsData } from "@/features/usage/types";

const REFRESH_MS = 2_000;

/**
 * The day's quotas and the open minute windows of an account, refreshed every few seconds. Without a script they do not
 * change. `children` are shown beside the quotas.
 */
export function LimitsNow({ initial, children }: { initial: LimitsData; children?: ReactNode }) {
  const { data = initial, isOffline } = useFresh<LimitsData>("/usage/limits", REFRESH_MS, initial);
  return (
    <div className="grid gap-3">
      {isOffline && <Notice tone="error">The server is not responding. These figures may be out of date.</Notice>}
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(18rem,100%),1fr))] gap-x-10 gap-y-5">
        {data.quotas.map((line) => (
          <DayQuota key={line.name} line={line} nowMs={data.nowMs} />
        ))}
        {children}
        <Quota title="This minute">
          <MinuteList minutes={data.minutes} />
        </Quota>
      </div>
    </div>
  );
}
