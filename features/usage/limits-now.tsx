"use client";

import type { ReactNode } from "react";
import { Figure } from "@/components/ui/figure";
import { Meter } from "@/components/ui/meter";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import type { LimitsData, MinuteLine } from "@/features/usage/data";
import { DayQuota, getForecastClass, Quota } from "@/features/usage/day-quota";
import { NO_LIMIT } from "@/lib/access/plans";
import { formatCount } from "@/lib/text/text";

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

/** The open minute windows by key. */
function MinuteList({ minutes }: { minutes: readonly MinuteLine[] }) {
  if (minutes.length === 0) return <p className={getForecastClass(false)}>No calls in the last minute.</p>;
  return (
    <ul className="grid grid-cols-[minmax(0,1fr)] gap-2 pt-1.5 text-xs13">
      {minutes.map(({ keyId, label, last4, used, limit, resetSeconds }) => {
        const isTight = limit !== NO_LIMIT && used >= limit;
        return (
          <li key={keyId}>
            <p className="flex gap-1 whitespace-nowrap">
              <span className="overflow-hidden text-ellipsis">{label}</span> <span>…{last4}</span>
              <Figure className="ml-auto pl-3">
                {formatCount(used)}
                {limit !== NO_LIMIT && ` of ${formatCount(limit)}`}
              </Figure>
            </p>
            <Meter label={`${label} …${last4}: calls used this minute`} used={used} limit={limit} isTight={isTight} />
            <p className={getForecastClass(isTight)}>
              {isTight ? "Used up. Calls are refused for" : "Resets in"} {resetSeconds} s
            </p>
          </li>
        );
      })}
    </ul>
  );
}
