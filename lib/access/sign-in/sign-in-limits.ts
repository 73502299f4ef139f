import { createHash } from "node:crypto";
import { formatRange, parseAddress, parseRange } from "@/lib/access/ip-range";
import type { AttemptLimit } from "@/lib/access/sign-in/attempts";
import { HOUR_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/**
 * How often a password may be wrong. Addresses that have an account and those that have none are counted alike, so
 * that nobody learns from being held up who has one. Counted by what somebody is after and by where they are, because
 * a limit on the account alone would let anyone lock its owner out.
 */

interface SignInLimits {
  /** Everything tried from one place; nothing where the place is not known. */
  readonly network: readonly AttemptLimit[];
  /** One account from one place. */
  readonly pair: AttemptLimit;
  /** One account from anywhere: what remains for someone with many addresses. */
  readonly account: AttemptLimit;
}

/** `email` is normalised. */
export function signInLimits(email: string, address: string | null): SignInLimits {
  const place = placeOf(address);
  // E-mail addresses of people without an account are not kept, not even for a quarter of an hour.
  const who = createHash("sha256").update(email).digest("base64url").slice(0, 22);
  return {
    network: place === null ? [] : [{ name: `sign-in@${place}`, most: 30, windowMs: QUARTER_HOUR_MS }],
    pair: { name: `sign-in:${who}@${place ?? "unknown"}`, most: 5, windowMs: QUARTER_HOUR_MS },
    account: { name: `sign-in:${who}`, most: 30, windowMs: HOUR_MS },
  };
}

/** Asking for accounts in bulk finds out which addresses are taken; this is how fast. */
export function signUpLimits(address: string | null): readonly AttemptLimit[] {
  const place = placeOf(address);
  return place === null ? [] : [{ name: `sign-up@${place}`, most: 30, windowMs: HOUR_MS }];
}

/** For an owner who is signed in. */
export function confirmLimit(accountId: string): AttemptLimit {
  return { name: `confirm:${accountId}`, most: 5, windowMs: QUARTER_HOUR_MS };
}

/** One IPv4 address, or the /64 that one IPv6 subscriber has at the least. */
function placeOf(address: string | null): string | null {
  const parsed = address === null ? null : parseAddress(address);
  if (parsed === null || address === null) return null;
  const range = parseRange(parsed.family === 4 ? address : `${address}/64`);
  return "reason" in range ? null : formatRange(range);
}
