"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { findMoment, type SessionsChoice } from "@/features/sessions/url";

/** Returns `read` of the moment that the page shows. The present moves once a second. */
export function useMoment<Value extends string | number>(choice: SessionsChoice, read: (atMs: number) => Value): Value {
  return useMarketTime((nowMs) => read(findMoment(choice, nowMs)));
}
