"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { ImpactMark } from "@/features/calendar/impact-mark";
import type { SheetEvent } from "@/features/calendar/types";
import { formatTimeLeft } from "@/lib/time/duration";

/** What comes out next of what is shown, and in how long. */
export function NextRelease({ events }: { events: readonly SheetEvent[] }) {
  const nextMs = useMarketTime((nowMs) => events.find((event) => isAwaited(event, nowMs))?.timeMs ?? 0);
  const left = useMarketTime((nowMs) => formatTimeLeft(nextMs - nowMs));
  if (nextMs === 0) return null;
  const [first, ...others] = events.filter((event) => event.timeMs === nextMs && event.hasHour);
  if (first === undefined) return null;
  return (
    <p className="calendar-next">
      <span className="text-faint">Next</span>
      <ImpactMark impact={first.impact} />
      <span>
        <span className="numerals">{first.currency}</span> {first.title}
        {others.length > 0 && <span className="text-faint"> and {others.length} more</span>}
      </span>
      <span role="timer" aria-live="off" className="calendar-countdown numerals">
        {left}
      </span>
    </p>
  );
}

function isAwaited({ timeMs, hasHour }: SheetEvent, nowMs: number): boolean {
  return timeMs > nowMs && hasHour;
}
