"use client";

import { useMemo } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { useZone } from "@/components/shared/zone-context";

/** The time in several zones in a panel of a screen, the visitor's own first. */
export function ClockPanel({ zones }: { zones: readonly string[] }) {
  const own = useZone();
  const all = [...new Set([own, ...zones])];
  return (
    <ul className="grid h-full auto-rows-fr grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] gap-px bg-line">
      {all.map((zone) => (
        <Clock key={zone} zone={zone} />
      ))}
    </ul>
  );
}

/** "America/New_York" as "New York". */
export const toCity = (zone: string): string => zone.split("/").at(-1)?.replaceAll("_", " ") ?? zone;

function Clock({ zone }: { zone: string }) {
  const { clock, day } = useMemo(
    () => ({
      clock: new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium" }),
      day: new Intl.DateTimeFormat("en-GB", { timeZone: zone, weekday: "short", day: "numeric", month: "short" }),
    }),
    [zone],
  );
  const time = useMarketTime((nowMs) => clock.format(nowMs));
  const date = useMarketTime((nowMs) => day.format(nowMs));
  return (
    <li className="grid content-center justify-items-center bg-bg p-2 text-center">
      <span className="text-xs12 text-dim">{toCity(zone)}</span>
      <time
        role="timer"
        aria-live="off"
        aria-label={`Time in ${toCity(zone)}`}
        translate="no"
        className="font-mono text-[1.375rem]/8 tracking-[-0.02em] tabular-nums slashed-zero"
      >
        {time}
      </time>
      <span className="text-xs11 text-faint">{date}</span>
    </li>
  );
}
