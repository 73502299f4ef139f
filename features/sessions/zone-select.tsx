"use client";

import { useSyncExternalStore } from "react";
import { CITIES, type SessionLine } from "@/features/sessions/session-days";

interface ZoneSelectProps {
  zone: string;
  sessions: readonly SessionLine[];
  onChange: (zone: string) => void;
}

const unchanging = () => () => {};

/** Whose day the chart shows: UTC's, the reader's own, a city's, or the one the address names. */
export function ZoneSelect({ zone, sessions, onChange }: ZoneSelectProps) {
  // The server cannot know where the reader is.
  const own = useSyncExternalStore(
    unchanging,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  );
  const options = new Map([["UTC", "UTC"]]);
  if (own !== null && own !== "UTC") options.set(own, `My time (${own})`);
  for (const session of sessions) {
    if (!options.has(session.zone)) options.set(session.zone, `${CITIES[session.name]} time`);
  }
  if (!options.has(zone)) options.set(zone, zone);
  return (
    <label className="zone-select">
      <span>Times in</span>
      <select value={zone} onChange={(event) => onChange(event.target.value)}>
        {Array.from(options, ([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
