"use client";

import { useSyncExternalStore } from "react";

interface ZoneSelectProps {
  zone: string;
  /** Zones to offer beside UTC and the visitor's, with their names. */
  zones: readonly (readonly [zone: string, name: string])[];
  onChange: (zone: string) => void;
}

const subscribeToNothing = () => () => {};

/** The time zone of a chart: UTC, the visitor's, one of `zones`, or the one in the address. */
export function ZoneSelect({ zone, zones, onChange }: ZoneSelectProps) {
  // The visitor's zone is known only in the browser.
  const own = useSyncExternalStore(
    subscribeToNothing,
    () => Intl.DateTimeFormat().resolvedOptions().timeZone,
    () => null,
  );
  const options = new Map([["UTC", "UTC"]]);
  if (own !== null && own !== "UTC") options.set(own, `My time (${own})`);
  for (const [each, name] of zones) if (!options.has(each)) options.set(each, name);
  if (!options.has(zone)) options.set(zone, zone);
  return (
    <label className="inline-flex items-center gap-2 text-xs13 text-dim">
      <span>Times in</span>
      <select
        value={zone}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 max-w-60 rounded-md border border-edge bg-raised px-2 text-ink"
      >
        {Array.from(options, ([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
  );
}
