import { AccessError } from "@/lib/access/access-error";
import { anonymous, type SignedIn } from "@/lib/access/actor";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import type { Seal } from "@/lib/access/sign-in/seal";
import { describeWrongCode, takeGuess } from "@/lib/access/sign-in/second-factor/guesses";
import { hashRecoveryCode } from "@/lib/access/sign-in/second-factor/recovery-codes";
import { findPeriod } from "@/lib/access/sign-in/second-factor/totp";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";

/** What the functions on second factors work with. */
export interface SecondFactorContext {
  readonly database: Database;
  readonly now: Clock;
  readonly seal: Seal;
}

/**
 * Uses a code of the app, or a recovery code, once. Rejects with "wrong_code". After five wrong codes in a row rejects
 * with "too_many_attempts" for 15 minutes; each five more double that, up to a day. A right recovery code is accepted
 * even then: nobody can guess one, so others who keep guessing do not lock the owner out.
 */
export async function checkCode(context: SecondFactorContext, typed: string, by: SignedIn): Promise<void> {
  const { database, now } = context;
  const { accountId } = by;
  const codeHash = hashRecoveryCode(typed);
  if (codeHash !== null && (await acceptRecoveryCode(context, codeHash, by))) return;
  const guess = await takeGuess(database.pool, accountId, now());
  const code = typed.replace(/\s/g, "");
  if (/^\d{6}$/.test(code) && (await acceptAppCode(context, accountId, code))) return;
  if (guess.blockedUntilMs !== null) {
    const after = { wrong_codes: guess.wrongCodes, blocked_until: new Date(guess.blockedUntilMs).toISOString() };
    // A wrong code does not prove who sent it.
    const guesser = anonymous(by.address ?? null);
    await change(database, (transaction) =>
      record(transaction, { atMs: now(), event: "account.block_second_factor", by: guesser, accountId, after }),
    );
  }
  throw new AccessError("wrong_code", describeWrongCode(guess, now()));
}

/** True if the code is right, and neither it nor a later one was used before. */
async function acceptAppCode({ database, now, seal }: SecondFactorContext, accountId: string, code: string) {
  const { secondFactor } = database.prisma;
  const row = await secondFactor.findUnique({ where: { accountId } });
  const base32 = row && seal.open(row.sealedSecret, accountId);
  if (base32 === null) {
    throw new AccessError(
      "second_factor_state",
      "Codes of your app cannot be checked since this installation's secret was changed. Use a recovery code.",
    );
  }
  const period = findPeriod(base32, code, now());
  if (period === null) return false;
  // One statement decides, so that two processes cannot both accept the same code.
  const { count } = await secondFactor.updateMany({
    where: { accountId, lastStep: { lt: period } },
    data: { lastStep: period, wrongCodes: 0, blockedUntil: null },
  });
  return count === 1;
}

async function acceptRecoveryCode({ database, now }: SecondFactorContext, codeHash: string, by: SignedIn) {
  const { accountId } = by;
  // Read first, so that wrong codes do not take the lock of all changes.
  const unused = { accountId, codeHash, usedAt: null, secondFactor: { confirmedAt: { not: null } } };
  if ((await database.prisma.recoveryCode.count({ where: unused })) === 0) return false;
  return change(database, async (transaction) => {
    const used = await transaction.recoveryCode.updateMany({
      where: { accountId, codeHash, usedAt: null },
      data: { usedAt: new Date(now()) },
    });
    if (used.count === 0) return false;
    await transaction.secondFactor.update({ where: { accountId }, data: { wrongCodes: 0, blockedUntil: null } });
    const left = await transaction.recoveryCode.count({ where: { accountId, usedAt: null } });
    const after = { recovery_codes_left: left };
    await record(transaction, { atMs: now(), event: "account.use_recovery_code", by, accountId, after });
    return true;
  });
}
