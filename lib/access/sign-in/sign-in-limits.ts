import { createHash } from "node:crypto";
import { formatRange, parseAddress, parseRange } from "@/lib/access/ip-range";
import type { AttemptLimit } from "@/lib/access/sign-in/attempts";
import { HOUR_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/**
 * The limits of wrong passwords. Addresses with and without an account are counted alike, so that a refusal does not
 * reveal whether there is an account. Counted by account and network, because a limit per account alone would let anyone
 * lock its owner out.
 */
interface SignInLimits {
  /** Every account from one network; empty if the network is unknown. */
  readonly network: readonly AttemptLimit[];
  /** One account from one network. */
  readonly pair: AttemptLimit;
  /** One account from all networks. */
  readonly account: AttemptLimit;
}

/** `email` is normalised. */
export function getSignInLimits(email: string, address: string | null): SignInLimits {
  const network = findNetwork(address);
  // A hash, so that e-mail addresses without an account are not stored.
  const person = createHash("sha256").update(email).digest("base64url").slice(0, 22);
  return {
    network: network === null ? [] : [{ name: `sign-in@${network}`, maxAttempts: 30, windowMs: QUARTER_HOUR_MS }],
    pair: { name: `sign-in:${person}@${network ?? "unknown"}`, maxAttempts: 5, windowMs: QUARTER_HOUR_MS },
    account: { name: `sign-in:${person}`, maxAttempts: 30, windowMs: HOUR_MS },
  };
}

/** Limits how fast sign-ups can find out which e-mail addresses have an account. */
export function getSignUpLimits(address: string | null): readonly AttemptLimit[] {
  const network = findNetwork(address);
  return network === null ? [] : [{ name: `sign-up@${network}`, maxAttempts: 30, windowMs: HOUR_MS }];
}

/** For a signed-in owner. */
export function getConfirmLimit(accountId: string): AttemptLimit {
  return { name: `confirm:${accountId}`, maxAttempts: 5, windowMs: QUARTER_HOUR_MS };
}

/** One IPv4 address, or an IPv6 /64: the smallest network of one subscriber. */
function findNetwork(address: string | null): string | null {
  const parsed = address === null ? null : parseAddress(address);
  if (parsed === null || address === null) return null;
  const range = parseRange(parsed.family === 4 ? address : `${address}/64`);
  return "reason" in range ? null : formatRange(range);
}
