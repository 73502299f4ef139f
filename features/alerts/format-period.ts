import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "@/lib/time/units";

/** A period in its largest whole unit: "minute", "15 minutes", "90 seconds". */
export function formatPeriod(seconds: number): string {
  const ms = seconds * SECOND_MS;
  const units = [
    ["day", DAY_MS],
    ["hour", HOUR_MS],
    ["minute", MINUTE_MS],
    ["second", SECOND_MS],
  ] as const;
  const [unit, unitMs] = units.find(([, size]) => ms % size === 0) ?? ["second", SECOND_MS];
  const count = ms / unitMs;
  return count === 1 ? unit : `${count} ${unit}s`;
}
