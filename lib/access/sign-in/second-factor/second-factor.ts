import { AccessError, isAccessError } from "@/lib/access/access-error";
import { OPERATOR_CLI, type SignedIn } from "@/lib/access/actor";
import { isId } from "@/lib/access/id";
import { type NewEvent, record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import type { RefusedSignIn } from "@/lib/access/sign-in/refused-sign-ins";
import { createSeal } from "@/lib/access/sign-in/seal";
import { checkCode, type SecondFactorContext } from "@/lib/access/sign-in/second-factor/check-code";
import {
  beginEnrolment,
  confirmEnrolment,
  type Enrolment,
  findEnrolment,
} from "@/lib/access/sign-in/second-factor/enrolment";
import { hashRecoveryCode, replaceRecoveryCodes } from "@/lib/access/sign-in/second-factor/recovery-codes";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/**
 * The second factor for signing in: codes of an authenticator app, and recovery codes for when the device is lost.
 * Every method rejects with an AccessError for what the caller can correct.
 *
 * Secrets are encrypted with the session secret. After that has changed, signing in accepts recovery codes only,
 * and the operator can reset the second factor.
 */
export type SecondFactors = ReturnType<typeof createSecondFactors>;

interface SecondFactorState {
  readonly sinceMs: number;
  readonly recoveryCodesLeft: number;
  /** False if the session secret has changed: only recovery codes work. */
  readonly isReadable: boolean;
}

interface Options {
  readonly now: Clock;
  readonly secret: string;
  /** Called for every refused sign-in. */
  readonly onRefused?: (refused: RefusedSignIn) => void;
}

export function createSecondFactors(database: Database, { now, secret, onRefused }: Options) {
  const seal = createSeal(secret, "second factor");
  const context: SecondFactorContext = { database, now, seal };
  const { secondFactor, recoveryCode } = database.prisma;

  return {
    /** Null if the account has no second factor. */
    async state(accountId: string): Promise<SecondFactorState | null> {
      const row = isId(accountId) ? await secondFactor.findUnique({ where: { accountId } }) : null;
      if (row === null || row.confirmedAt === null) return null;
      return {
        sinceMs: row.confirmedAt.getTime(),
        recoveryCodesLeft: await recoveryCode.count({ where: { accountId, usedAt: null } }),
        isReadable: seal.open(row.sealedSecret, accountId) !== null,
      };
    },

    /** Needs a confirmed owner; see beginEnrolment. */
    async begin(owner: SignedIn): Promise<void> {
      requireConfirmed(owner);
      await beginEnrolment(context, owner.accountId);
    },

    enrolment: (accountId: string, email: string): Promise<Enrolment | null> =>
      findEnrolment(context, accountId, email),

    confirm: (typed: string, owner: SignedIn, keptSession?: string): Promise<string[]> =>
      confirmEnrolment(context, typed, owner, keptSession),

    /** For signing in. */
    async check(typed: string, by: SignedIn): Promise<void> {
      try {
        await checkCode(context, typed, by);
      } catch (error) {
        const reason = findRefusalReason(error, typed);
        if (reason !== null) onRefused?.({ reason, address: by.address ?? null, accountId: by.accountId });
        throw error;
      }
    },

    /** Replaces all recovery codes by ten new ones. Needs a confirmed owner and a code. */
    async renewRecoveryCodes(typed: string, owner: SignedIn): Promise<string[]> {
      requireConfirmed(owner);
      await checkCode(context, typed, owner);
      const { accountId } = owner;
      return change(database, async (transaction) => {
        const event = "account.renew_recovery_codes";
        await record(transaction, { atMs: now(), event, by: owner, accountId });
        return replaceRecoveryCodes(transaction, accountId);
      });
    },

    /** Turns the second factor off. Needs a confirmed owner and a code. */
    async disable(typed: string, owner: SignedIn): Promise<void> {
      requireConfirmed(owner);
      await checkCode(context, typed, owner);
      await remove(database, owner.accountId, { atMs: now(), event: "account.disable_second_factor", by: owner });
    },
  };
}

function findRefusalReason(error: unknown, typed: string) {
  if (!isAccessError(error)) return null;
  if (error.code === "too_many_attempts") return "locked_out";
  if (error.code !== "wrong_code") return null;
  return hashRecoveryCode(typed) === null ? "second_factor" : "recovery_code";
}

/** Turns the second factor off for an owner who has lost both the device and the codes. For the operator. */
export async function resetSecondFactor(database: Database, accountId: string, atMs: number): Promise<void> {
  await remove(database, accountId, { atMs, event: "account.reset_second_factor", by: OPERATOR_CLI });
}

async function remove(database: Database, accountId: string, event: Pick<NewEvent, "atMs" | "event" | "by">) {
  await change(database, async (transaction) => {
    const { count } = await transaction.secondFactor.deleteMany({ where: { accountId, confirmedAt: { not: null } } });
    if (count === 0) throw new AccessError("second_factor_state", "This account has no second factor.");
    await record(transaction, { ...event, accountId, after: { second_factor: false } });
  });
}

function requireConfirmed({ confirmed }: SignedIn): void {
  if (confirmed !== true) throw new AccessError("confirmation_required", "Enter your password to go on.");
}
