import { countSecondsToMidnight } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { computeResetSeconds } from "@/lib/access/admission/windows";
import { formatHeaderLine } from "@/lib/api/engine/call";
import { ApiError } from "@/lib/api/engine/errors";

/** 429 RATE_LIMIT_EXCEEDED: the minute of the key is used up. */
export function createMinuteError(key: KeyEntry, nowMs: number): ApiError {
  const seconds = computeResetSeconds(key.minute, nowMs);
  return new ApiError(
    "RATE_LIMIT_EXCEEDED",
    `This API key may make ${key.perMinute} requests a minute.`,
    { limit: key.perMinute, remaining: 0, reset_in_seconds: seconds },
    formatHeaderLine("Retry-After", seconds),
  );
}

/** 429 QUOTA_EXCEEDED: the day of the key itself is used up. */
export function createKeyDayError(key: KeyEntry, nowMs: number): ApiError {
  const seconds = countSecondsToMidnight(nowMs);
  return new ApiError(
    "QUOTA_EXCEEDED",
    `This API key may make ${key.ownPerDay} calls a day. They start anew at midnight UTC.`,
    { limit: key.ownPerDay, remaining: 0, reset_in_seconds: seconds },
    formatHeaderLine("Retry-After", seconds),
  );
}

/** 429 QUOTA_EXCEEDED: the day of the account is used up. */
export function createDayError(nowMs: number): ApiError {
  const seconds = countSecondsToMidnight(nowMs);
  return new ApiError(
    "QUOTA_EXCEEDED",
    "The account's calls for today are used up. They start anew at midnight UTC.",
    { reset_in_seconds: seconds },
    formatHeaderLine("Retry-After", seconds),
  );
}
