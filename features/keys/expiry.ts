import { EXPIRY_DAYS, type KeyFormValues } from "@/features/keys/key-form-state";
import { DAY_MS } from "@/lib/time/units";

/** The moment asked for in UTC milliseconds, null for never, undefined when the form does not say a real one. */
export function readExpiry(
  { expiry, expiryDate }: Pick<KeyFormValues, "expiry" | "expiryDate">,
  nowMs: number,
): number | null | undefined {
  if (expiry === "never") return null;
  const days = EXPIRY_DAYS.find((preset) => String(preset) === expiry);
  if (days !== undefined) return nowMs + days * DAY_MS;
  if (expiry !== "date" || !/^\d{4}-\d{2}-\d{2}$/.test(expiryDate)) return undefined;
  const dayMs = Date.parse(`${expiryDate}T00:00:00Z`);
  // 02-30 parses to a day in March in some engines and to nothing in others; it is no day in either.
  if (Number.isNaN(dayMs) || new Date(dayMs).toISOString().slice(0, 10) !== expiryDate) return undefined;
  return dayMs + DAY_MS;
}
