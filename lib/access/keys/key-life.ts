import type { Key } from "@/lib/access/keys/key";
import { DAY_MS } from "@/lib/time/units";

/** After so many days without a call a key is reported as unused. */
export const UNUSED_DAYS = 60;

/** "1 day", "90 days". */
export function formatDays(days: number): string {
  return `${days} ${days === 1 ? "day" : "days"}`;
}

/** Whether a key that works has made no call for so long that its owner gets a notice. */
export function isUnused(
  { state, lastUsedAtMs, createdAtMs }: Pick<Key, "state" | "lastUsedAtMs" | "createdAtMs">,
  nowMs: number,
): boolean {
  return state === "active" && nowMs - (lastUsedAtMs ?? createdAtMs) >= UNUSED_DAYS * DAY_MS;
}

/** When a key ends at the latest under the longest life that the operator allows; Infinity without one. */
export function getLatestEnd(createdAtMs: number, maxDays: number | null): number {
  return maxDays === null ? Infinity : createdAtMs + maxDays * DAY_MS;
}

/** Whether a key ends later than the operator allows new keys. */
export function exceedsLifetime(
  { createdAtMs, expiresAtMs }: Pick<Key, "createdAtMs" | "expiresAtMs">,
  maxDays: number | null,
): boolean {
  return maxDays !== null && (expiresAtMs ?? Infinity) > getLatestEnd(createdAtMs, maxDays);
}
