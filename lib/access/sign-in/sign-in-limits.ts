import { createHash } from "node:crypto";
import { findNetwork } from "@/lib/access/ip-range";
import type { AttemptLimit } from "@/lib/access/sign-in/attempts";
import { HOUR_MS, QUARTER_HOUR_MS } from "@/lib/time/units";

/**
 * The limits of wrong passwords. Addresses with and without an account are counted alike, so that a refusal does not
 * reveal whether there is an account. Counted by account and network, because a limit per account alone would let anyone
 * lock its owner out.
 */
interface SignInLimits {
  /** Every account from one network. */
  readonly network: AttemptLimit;
  /** One account from one network. */
  readonly pair: AttemptLimit;
  /** One account from all networks. */
  readonly account: AttemptLimit;
}

/** `email` is normalised. */
export function getSignInLimits(email: string, address: string | null): SignInLimits {
  const network = findNetwork(address);
  const person = hashEmail(email);
  return {
    network: getPasskeyLimit(address),
    pair: { name: `sign-in:${person}@${network}`, maxAttempts: 5, windowMs: QUARTER_HOUR_MS },
    account: { name: `sign-in:${person}`, maxAttempts: 30, windowMs: HOUR_MS },
  };
}

/** A hash, so that e-mail addresses without an account are not stored. */
const hashEmail = (email: string) => createHash("sha256").update(email).digest("base64url").slice(0, 22);

/** The limit of every account from one network, which passkeys and passwords share. */
export function getPasskeyLimit(address: string | null): AttemptLimit {
  return { name: `sign-in@${findNetwork(address)}`, maxAttempts: 30, windowMs: QUARTER_HOUR_MS };
}

/** The limits of mails that reset a password. `email` is normalised. */
export function getResetLimits(email: string, address: string | null): readonly AttemptLimit[] {
  const network = findNetwork(address);
  const person = hashEmail(email);
  return [
    { name: `reset@${network}`, maxAttempts: 20, windowMs: HOUR_MS },
    // Another network can use up the limit of the account, but not at once.
    { name: `reset:${person}@${network}`, maxAttempts: 3, windowMs: HOUR_MS },
    { name: `reset:${person}`, maxAttempts: 10, windowMs: HOUR_MS },
  ];
}

/** Limits how fast sign-ups can find out which e-mail addresses have an account. */
export function getSignUpLimit(address: string | null): AttemptLimit {
  return { name: `sign-up@${findNetwork(address)}`, maxAttempts: 30, windowMs: HOUR_MS };
}

/** For the audit log. */
export function getRefusalLimit(accountId: string): AttemptLimit {
  return { name: `refusal:${accountId}`, maxAttempts: 6, windowMs: HOUR_MS };
}

/** For a signed-in owner. */
export function getConfirmLimit(accountId: string): AttemptLimit {
  return { name: `confirm:${accountId}`, maxAttempts: 5, windowMs: QUARTER_HOUR_MS };
}
