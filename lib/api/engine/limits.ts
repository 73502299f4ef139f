import { release, reserve, secondsToMidnight } from "@/lib/access/admission/day-window";
import type { KeyEntry } from "@/lib/access/admission/directory";
import { admit, resetSeconds } from "@/lib/access/admission/minute-window";
import type { SharedWindows } from "@/lib/access/admission/shared-windows";
import { ApiError } from "@/lib/api/engine/errors";
import type { Exchange } from "@/lib/api/engine/exchange";

/**
 * How calls are held to the minute limit of their key and the day's quota of their account: by the windows of this
 * process, or by those it shares with others.
 */

/** Counts a call in its key's minute, or throws 429 RATE_LIMIT_EXCEEDED. */
export function admitCall({ nowMs }: Exchange, key: KeyEntry): void {
  if (!admit(key.minute, key.perMinute, nowMs)) throw minuteUsedUp(key, nowMs);
}

/** Sets a call of the day aside that costs `credits`, or throws 429 QUOTA_EXCEEDED. */
export function reserveCall(exchange: Exchange, key: KeyEntry, credits: number): void {
  const { nowMs } = exchange;
  if (!reserve(key.day, key.perDay, nowMs, credits)) throw dayUsedUp(nowMs);
  exchange.reservedAtMs = nowMs;
}

/**
 * Both at once, in the shared windows. `refusal` is what else the call would be refused for, or null: that comes
 * after the minute limit and before the quota, so such a call is not counted in the day.
 */
export function countCallShared(
  exchange: Exchange,
  key: KeyEntry,
  credits: number,
  windows: SharedWindows,
  refusal: unknown,
): void | Promise<void> {
  const verdict = windows.count(key, refusal === null ? credits : null);
  if (verdict instanceof Promise) return verdict.then(settle);
  settle(verdict);

  function settle(given: Awaited<typeof verdict>): void {
    const nowMs = exchange.services.now();
    if (given === "minute used up") throw minuteUsedUp(key, nowMs);
    if (refusal !== null) throw refusal;
    if (given === "day used up") throw dayUsedUp(nowMs);
    exchange.reservedAtMs = nowMs;
  }
}

/** Gives the day back a call that was set aside and has not been answered with success. */
export function giveBack({ services }: Exchange, key: KeyEntry, credits: number, reservedAtMs: number): void {
  if (services.sharedWindows === null) release(key.day, reservedAtMs, credits);
  else services.sharedWindows.release(key, credits, reservedAtMs);
}

function minuteUsedUp(key: KeyEntry, nowMs: number): ApiError {
  const seconds = resetSeconds(key.minute, nowMs);
  return new ApiError(
    "RATE_LIMIT_EXCEEDED",
    `This API key may make ${key.perMinute} requests a minute.`,
    { limit: key.perMinute, remaining: 0, reset_in_seconds: seconds },
    `Retry-After: ${seconds}\r\n`,
  );
}

function dayUsedUp(nowMs: number): ApiError {
  const seconds = secondsToMidnight(nowMs);
  return new ApiError(
    "QUOTA_EXCEEDED",
    "The account's calls for today are used up. They start anew at midnight UTC.",
    { reset_in_seconds: seconds },
    `Retry-After: ${seconds}\r\n`,
  );
}
