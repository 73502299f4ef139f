"use client";

import { useMarketTime } from "@/components/shared/market-clock";
import { Figure } from "@/components/ui/figure";

/** The market's time of day in UTC, with the date if `dated`. */
export function UtcClock({ dated }: { dated: boolean }) {
  const text = useMarketTime((nowMs) =>
    new Date(nowMs)
      .toISOString()
      .slice(dated ? 0 : 11, 19)
      .replace("T", " "),
  );
  return (
    <Figure className="text-xs13 whitespace-nowrap text-dim">
      <time aria-label="Market time in UTC" role="timer" aria-live="off">
        {text}
      </time>{" "}
      <span className="text-faint">UTC</span>
    </Figure>
  );
}
