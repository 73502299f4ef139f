import { EXPIRY_DAYS, type KeyFormValues } from "@/features/keys/key-form-state";
import { parseDay } from "@/lib/time/iso-time";
import { DAY_MS } from "@/lib/time/units";

/** The moment asked for in UTC milliseconds, null for never, undefined when the form does not say a real one. */
export function readExpiry(
  { expiry, expiryDate }: Pick<KeyFormValues, "expiry" | "expiryDate">,
  nowMs: number,
): number | null | undefined {
  if (expiry === "never") return null;
  const days = EXPIRY_DAYS.find((preset) => String(preset) === expiry);
  if (days !== undefined) return nowMs + days * DAY_MS;
  const dayMs = expiry === "date" ? parseDay(expiryDate) : null;
  return dayMs === null ? undefined : dayMs + DAY_MS;
}
