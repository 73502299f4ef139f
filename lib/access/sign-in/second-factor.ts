import { Secret, TOTP } from "otpauth";
import { AccessError } from "@/lib/access/access-error";
import { anonymous, OPERATOR_CLI, type SignedIn } from "@/lib/access/actor";
import { type NewEvent, record } from "@/lib/access/audit/audit";
import { change, isId } from "@/lib/access/revision";
import { endSessions } from "@/lib/access/sign-in/account-sessions";
import { hashRecoveryCode, mintRecoveryCodes } from "@/lib/access/sign-in/recovery-codes";
import { createSeal } from "@/lib/access/sign-in/seal";
import { guessOutcome, takeGuess } from "@/lib/access/sign-in/second-factor-guesses";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";
import { QUARTER_HOUR_MS } from "@/lib/time/units";
import type { Prisma } from "@/prisma/generated/client";

/**
 * A second factor for signing in: codes of six digits that change every thirty seconds (TOTP, RFC 6238), and ten
 * recovery codes for when the device is lost. Every method rejects with an AccessError for what the caller can put right.
 *
 * Secrets are sealed under the session secret. When that is another one, no code can be checked any more: sign-in goes
 * on asking, the recovery codes, which do not depend on it, go on working, and the operator can reset the rest.
 */

interface SecondFactorState {
  readonly sinceMs: number;
  readonly recoveryCodesLeft: number;
  /** False once the session secret has changed: recovery codes only. */
  readonly isReadable: boolean;
}

interface Enrolment {
  /** Base32, as an app takes it when the picture cannot be scanned. */
  readonly secret: string;
  /** The otpauth:// address that the picture holds. */
  readonly uri: string;
}

export type SecondFactors = ReturnType<typeof createSecondFactors>;

/** How long a secret that was shown waits for its first code. */
const ENROLMENT_MS = QUARTER_HOUR_MS;
const PERIOD_S = 30;
/** Codes of the thirty seconds before and after are right too: clocks differ, and people type slowly. */
const WINDOW = 1;

const totpOf = (secret: Secret, label: string) =>
  new TOTP({ issuer: "Spotline", label, algorithm: "SHA1", digits: 6, period: PERIOD_S, secret });

export function createSecondFactors(database: Database, { now, secret }: { now: Clock; secret: string }) {
  const { secondFactor } = database.prisma;
  const { seal, open } = createSeal(secret, "second factor");

  /** The thirty seconds whose code this is, counted from 1970; null where it is none of those that are right now. */
  function stepOf(base32: string, code: string): number | null {
    const totp = totpOf(Secret.fromBase32(base32), "");
    const delta = totp.validate({ token: code, timestamp: now(), window: WINDOW });
    return delta === null ? null : totp.counter({ timestamp: now() }) + delta;
  }

  /** Spends a code of the app's, if it is right and neither it nor a later one was spent before. */
  async function spendCode(accountId: string, code: string): Promise<boolean> {
    const row = await secondFactor.findUnique({ where: { accountId } });
    const base32 = row && open(row.sealedSecret, accountId);
    if (base32 === null) {
      throw new AccessError(
        "second_factor_state",
        "Codes of your app cannot be checked since this installation's secret was changed. Use a recovery code.",
      );
    }
    const step = stepOf(base32, code);
    if (step === null) return false;
    // One statement decides, so that of two processes given the same code one refuses it.
    const { count } = await secondFactor.updateMany({
      where: { accountId, lastStep: { lt: step } },
      data: { lastStep: step, wrongCodes: 0, blockedUntil: null },
    });
    return count === 1;
  }

  function spendRecoveryCode(codeHash: string, by: SignedIn): Promise<boolean> {
    const { accountId } = by;
    return change(database, async (transaction) => {
      const spent = await transaction.recoveryCode.updateMany({
        where: { accountId, codeHash, usedAt: null },
        data: { usedAt: new Date(now()) },
      });
      if (spent.count === 0) return false;
      await transaction.secondFactor.update({ where: { accountId }, data: { wrongCodes: 0, blockedUntil: null } });
      const left = await transaction.recoveryCode.count({ where: { accountId, usedAt: null } });
      const after = { recovery_codes_left: left };
      await record(transaction, { atMs: now(), event: "account.use_recovery_code", by, accountId, after });
      return true;
    });
  }

  async function check(typed: string, by: SignedIn): Promise<void> {
    const { accountId } = by;
    const guess = await takeGuess(database.pool, accountId, now());
    const code = typed.replace(/\s/g, "");
    const codeHash = hashRecoveryCode(typed);
    const isRight = /^\d{6}$/.test(code)
      ? await spendCode(accountId, code)
      : codeHash !== null && (await spendRecoveryCode(codeHash, by));
    if (isRight) return;
    if (guess.blockedUntilMs !== null) {
      const after = { wrong_codes: guess.wrongCodes, blocked_until: new Date(guess.blockedUntilMs).toISOString() };
      // A wrong code does not prove who sent it.
      const guesser = anonymous(by.address ?? null);
      await change(database, (transaction) =>
        record(transaction, { atMs: now(), event: "account.block_second_factor", by: guesser, accountId, after }),
      );
    }
    throw new AccessError("wrong_code", guessOutcome(guess, now()));
  }

  async function replaceRecoveryCodes(transaction: Prisma.TransactionClient, accountId: string): Promise<string[]> {
    const codes = mintRecoveryCodes();
    await transaction.recoveryCode.deleteMany({ where: { accountId } });
    await transaction.recoveryCode.createMany({ data: codes.map(({ codeHash }) => ({ accountId, codeHash })) });
    return codes.map(({ code }) => code);
  }

  /** A secret that was shown and waits for its first code, or null. */
  async function pending(accountId: string): Promise<{ base32: string; sealedSecret: string } | null> {
    const since = new Date(now() - ENROLMENT_MS);
    const row = await secondFactor.findFirst({ where: { accountId, confirmedAt: null, startedAt: { gt: since } } });
    const base32 = row && open(row.sealedSecret, accountId);
    return row === null || base32 === null ? null : { base32, sealedSecret: row.sealedSecret };
  }

  return {
    /** What the account has; null while signing in needs the password alone. */
    async state(accountId: string): Promise<SecondFactorState | null> {
      const row = isId(accountId) ? await secondFactor.findUnique({ where: { accountId } }) : null;
      if (row === null || row.confirmedAt === null) return null;
      return {
        sinceMs: row.confirmedAt.getTime(),
        recoveryCodesLeft: await database.prisma.recoveryCode.count({ where: { accountId, usedAt: null } }),
        isReadable: open(row.sealedSecret, accountId) !== null,
      };
    },

    /** Makes a secret to be shown; nothing is asked for at sign-in until `confirm`. */
    async begin(owner: SignedIn): Promise<void> {
      requireConfirmed(owner);
      const { accountId } = owner;
      const sealed = seal(new Secret({ size: 20 }).base32, accountId);
      const { rowCount } = await database.pool.query(
        `INSERT INTO second_factor (account_id, sealed_secret, started_at) VALUES ($1, $2, $3)
         ON CONFLICT (account_id) DO UPDATE SET sealed_secret = $2, started_at = $3, last_step = 0
          WHERE second_factor.confirmed_at IS NULL`,
        [accountId, sealed, new Date(now()).toISOString()],
      );
      if (rowCount !== 1) throw new AccessError("second_factor_state", "A second factor is on already.");
    },

    /** What `begin` made, for a quarter of an hour. */
    async enrolment(accountId: string, email: string): Promise<Enrolment | null> {
      const found = await pending(accountId);
      if (found === null) return null;
      return { secret: found.base32, uri: totpOf(Secret.fromBase32(found.base32), email).toString() };
    },

    /**
     * Turns it on, given a right code, and answers the recovery codes: they are not to be had again. Every session but
     * the one with the id `kept` ends: it was opened with the password alone.
     */
    async confirm(typed: string, owner: SignedIn, kept?: string): Promise<string[]> {
      const { accountId } = owner;
      const found = await pending(accountId);
      if (found === null) throw new AccessError("second_factor_state", "Start again: this secret has expired.");
      const step = stepOf(found.base32, typed.replace(/\s/g, ""));
      if (step === null) {
        throw new AccessError("wrong_code", "The code is not right. Does the clock of your device run right?");
      }
      return change(database, async (transaction) => {
        const { count } = await transaction.secondFactor.updateMany({
          where: { accountId, confirmedAt: null, sealedSecret: found.sealedSecret },
          data: { confirmedAt: new Date(now()), lastStep: step, wrongCodes: 0, blockedUntil: null },
        });
        if (count === 0) throw new AccessError("second_factor_state", "A second factor is on already.");
        const after = { second_factor: true, ...(await endSessions(transaction, accountId, { allBut: kept })) };
        await record(transaction, { atMs: now(), event: "account.enable_second_factor", by: owner, accountId, after });
        return replaceRecoveryCodes(transaction, accountId);
      });
    },

    /**
     * Takes a code of the app's or a recovery code, once. Rejects with "wrong_code" and, after five wrong ones in a
     * row, with "too_many_attempts" for a quarter of an hour, twice as long after each five more, a day at most.
     */
    check,

    /** Ten new recovery codes in place of all others; needs the password and a code. */
    async renewRecoveryCodes(typed: string, owner: SignedIn): Promise<string[]> {
      requireConfirmed(owner);
      await check(typed, owner);
      const { accountId } = owner;
      return change(database, async (transaction) => {
        const event = "account.renew_recovery_codes";
        await record(transaction, { atMs: now(), event, by: owner, accountId });
        return replaceRecoveryCodes(transaction, accountId);
      });
    },

    /** Turns it off; needs the password and a code. */
    async disable(typed: string, owner: SignedIn): Promise<void> {
      requireConfirmed(owner);
      await check(typed, owner);
      await remove(database, owner.accountId, { atMs: now(), event: "account.disable_second_factor", by: owner });
    },
  };
}

/** Turns it off for somebody who has lost both the device and the codes. For the operator, who needs no secret for it. */
export async function resetSecondFactor(database: Database, accountId: string, atMs: number): Promise<void> {
  await remove(database, accountId, { atMs, event: "account.reset_second_factor", by: OPERATOR_CLI });
}

async function remove(
  database: Database,
  accountId: string,
  event: Pick<NewEvent, "atMs" | "event" | "by">,
): Promise<void> {
  await change(database, async (transaction) => {
    const { count } = await transaction.secondFactor.deleteMany({ where: { accountId, confirmedAt: { not: null } } });
    if (count === 0) throw new AccessError("second_factor_state", "This account has no second factor.");
    await record(transaction, { ...event, accountId, after: { second_factor: false } });
  });
}

function requireConfirmed({ confirmed }: SignedIn): void {
  if (confirmed !== true) throw new AccessError("confirmation_required", "Enter your password to go on.");
}
