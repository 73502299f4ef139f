"use client";

import { useSyncExternalStore } from "react";
import { getDeviceZone } from "@/components/shared/zone";

interface ZoneSelectProps {
  zone: string;
  /** Zones to offer first beside UTC and the visitor's, with their names. */
  zones?: readonly (readonly [zone: string, name: string])[];
  onChange: (zone: string) => void;
}

const subscribeToNothing = () => () => {};
const NO_ZONES: readonly string[] = [];
let allZones: readonly string[] | undefined;

function listAllZones(): readonly string[] {
  return (allZones ??= Intl.supportedValuesOf("timeZone"));
}

/** The time zone of a page: UTC, the visitor's, one of `zones`, or any other. */
export function ZoneSelect({ zone, zones = [], onChange }: ZoneSelectProps) {
  // The visitor's zone, and the zones that the browser knows, are known only there.
  const own = useSyncExternalStore(subscribeToNothing, getDeviceZone, () => null);
  const all = useSyncExternalStore(subscribeToNothing, listAllZones, () => NO_ZONES);
  const named = new Map([["UTC", "UTC"]]);
  if (own !== null && own !== "UTC") named.set(own, `My time (${own})`);
  for (const [each, name] of zones) if (!named.has(each)) named.set(each, name);
  if (!named.has(zone)) named.set(zone, zone);
  return (
    <label className="inline-flex min-w-24 items-center gap-2 text-xs13 text-dim max-md:flex-1">
      <span className="max-md:sr-only">Times in</span>
      <select
        value={zone}
        onChange={(event) => onChange(event.target.value)}
        className="h-8 w-52 max-w-full rounded-md border border-edge bg-raised px-2 text-ink max-md:w-full max-md:max-w-52"
      >
        {Array.from(named, ([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        <optgroup label="All zones">
          {all
            .filter((each) => !named.has(each))
            .map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
        </optgroup>
      </select>
    </label>
  );
}
