import { zoneOffsetMs } from "@/lib/market/civil-time";
import { DAY_MS } from "@/lib/time/units";

const QUARTER_MS = 900_000;

/** When the clocks of a zone change in [fromMs, untilMs), to the quarter of an hour: UTC milliseconds, in order. */
export function clockChanges(zone: string, fromMs: number, untilMs: number): number[] {
  const changes: number[] = [];
  for (let dayMs = Math.floor(fromMs / DAY_MS) * DAY_MS; dayMs < untilMs; dayMs += DAY_MS) {
    if (zoneOffsetMs(zone, dayMs) === zoneOffsetMs(zone, dayMs + DAY_MS)) continue;
    const before = zoneOffsetMs(zone, dayMs);
    let changeMs = dayMs;
    while (zoneOffsetMs(zone, changeMs) === before) changeMs += QUARTER_MS;
    if (changeMs >= fromMs && changeMs < untilMs) changes.push(changeMs);
  }
  return changes;
}
