"use client";

import type { ReactNode } from "react";
import { Notice } from "@/components/ui/notice";
import { useFresh } from "@/components/ui/use-fresh";
import { DayQuota, type DayQuotaLine } from "@/features/usage/day-quota";
import { type MinuteLine, MinuteList } from "@/features/usage/minute-list";

export interface LimitsSheet {
  readonly nowMs: number;
  readonly quotas: readonly DayQuotaLine[];
  readonly minutes: readonly MinuteLine[];
}

const REFRESH_MS = 2_000;

/**
 * The day's quotas and the open minute windows of an account, kept up to date. Without a script they stand as they
 * were when the page was asked for. `children` stand beside the quotas.
 */
export function LimitsNow({ initial, children }: { initial: LimitsSheet; children?: ReactNode }) {
  const { data = initial, isOffline } = useFresh<LimitsSheet>("/usage/limits", REFRESH_MS, initial);
  return (
    <div className="limits">
      {isOffline && <Notice tone="error">The server does not answer. These are its last figures.</Notice>}
      <div className="limit-quotas">
        {data.quotas.map((line) => (
          <DayQuota key={line.name} line={line} nowMs={data.nowMs} />
        ))}
        {children}
        <div className="limit-quota">
          <h3>This minute</h3>
          <MinuteList minutes={data.minutes} />
        </div>
      </div>
    </div>
  );
}
