"use client";

import { type ReactNode, useMemo } from "react";
import { useMarketTime } from "@/components/shared/market-clock";
import { ZoneSelect } from "@/components/shared/zone-select";
import { DataModeBadge } from "@/components/shell/data-mode-badge";
import { PageHeader } from "@/components/shell/page-header";

interface CalendarHeaderProps {
  zone: string;
  isSimulated: boolean;
  onZone: (zone: string) => void;
  /** Shown at the end. */
  children: ReactNode;
}

/** The title of the page, the time in its zone, and what applies to all of its events. */
export function CalendarHeader({ zone, isSimulated, onZone, children }: CalendarHeaderProps) {
  const clock = useMemo(() => new Intl.DateTimeFormat("en-GB", { timeZone: zone, timeStyle: "medium" }), [zone]);
  const text = useMarketTime((nowMs) => clock.format(nowMs));
  return (
    <PageHeader title="Calendar">
      {isSimulated && <DataModeBadge mode="simulated" what="events" />}
      <time aria-label="Time in the chosen zone" role="timer" aria-live="off" className="numerals text-xs13 text-dim">
        {text}
      </time>
      <ZoneSelect zone={zone} onChange={onZone} />
      {children}
    </PageHeader>
  );
}
