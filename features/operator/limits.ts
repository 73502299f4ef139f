import { AccessError } from "@/lib/access/access-error";
import { NO_LIMIT } from "@/lib/access/plans";

/**
 * Reads a limit as the operator types it in: a number, "none", or nothing for the plan's limit. Throws an AccessError.
 */
export function readLimit(text: string): number | null {
  const word = text.trim().toLowerCase();
  if (word === "") return null;
  if (word === "none") return NO_LIMIT;
  const digits = word.replaceAll(/[,\s_]/g, "");
  if (/^[1-9]\d{0,9}$/.test(digits)) return Number(digits);
  throw new AccessError("invalid_limit", "A limit is a whole number from 1 up, “none”, or empty for the plan’s limit.");
}

/** Writes a limit as the operator types it in. */
export function formatLimit(limit: number | null): string {
  return limit === null ? "" : limit === NO_LIMIT ? "none" : String(limit);
}
