import { AccessError, isAccessError } from "@/lib/access/access-error";
import type { AttemptLimit, Attempts } from "@/lib/access/sign-in/attempts";
import type { PasskeyContext } from "@/lib/access/sign-in/passkeys/add-passkey";
import { createRefusal } from "@/lib/access/sign-in/passkeys/responses";
import { type PasskeyUse, verifyUse } from "@/lib/access/sign-in/passkeys/use-passkey";
import type { RefusedSignIn } from "@/lib/access/sign-in/refused-sign-ins";
import { getConfirmLimit, getPasskeyLimit } from "@/lib/access/sign-in/sign-in-limits";
import type { Logger } from "@/lib/platform/log/log";
import { MINUTE_MS } from "@/lib/time/units";

/** Uses of passkeys, counted before they are checked. Accepted ones do not count. */

interface LimitedContext extends PasskeyContext {
  readonly attempts: Attempts;
  readonly log?: Logger | undefined;
  /** Called for every refused sign-in. */
  readonly onRefused?: ((refused: RefusedSignIn) => void) | undefined;
}

type Use = Omit<PasskeyUse, "purpose">;

/**
 * Resolves with the id of the passkey's account. Counted by network only, together with wrong passwords: nobody can guess
 * a passkey, and a limit by account would let others lock its owner out.
 */
export async function admitPasskey(context: LimitedContext, use: Use): Promise<string> {
  const { address } = use;
  const limit = getPasskeyLimit(address);
  try {
    await take(context, limit);
    const { accountId } = await verifyUse(context, { ...use, purpose: "sign-in" });
    await context.attempts.giveBack(limit);
    return accountId;
  } catch (error) {
    if (isAccessError(error)) {
      context.onRefused?.({ reason: error.code === "too_many_attempts" ? "locked_out" : "passkey", address });
    }
    throw error;
  }
}

export async function confirmWithPasskey(context: LimitedContext, use: Use, accountId: string): Promise<void> {
  const limit = getConfirmLimit(accountId);
  await take(context, limit);
  const row = await verifyUse(context, { ...use, purpose: "confirm" });
  if (row.accountId !== accountId) throw createRefusal();
  await context.attempts.forget(limit);
}

async function take({ attempts, now }: LimitedContext, limit: AttemptLimit): Promise<void> {
  const { exhausted, untilMs } = await attempts.take(limit);
  if (exhausted === null) return;
  const minutes = Math.max(1, Math.ceil((untilMs - now()) / MINUTE_MS));
  throw new AccessError(
    "too_many_attempts",
    `Too many wrong attempts. Try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`,
  );
}
