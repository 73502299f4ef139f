import { AccessError } from "@/lib/access/access-error";
import { NO_LIMIT } from "@/lib/access/plans";
import { readTypedNumber } from "@/lib/text/typed-number";

/**
 * Reads a limit as the operator types it in: a number, "none", or nothing for the plan's limit. Throws an AccessError.
 */
export function readLimit(text: string): number | null {
  const word = text.trim().toLowerCase();
  if (word === "") return null;
  if (word === "none") return NO_LIMIT;
  const read = readTypedNumber(word, { isWhole: true });
  if ("value" in read && Number.isInteger(read.value) && read.value >= 1 && read.value < 1e10) return read.value;
  throw new AccessError("invalid_limit", "A limit is a whole number from 1 up, “none”, or empty for the plan’s limit.");
}

/** Writes a limit as the operator types it in. */
export function formatLimit(limit: number | null): string {
  return limit === null ? "" : limit === NO_LIMIT ? "none" : String(limit);
}
