import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";
import type { Pool } from "pg";
import { AccessError, isAccessError } from "@/lib/access/access-error";
import { anonymous, OPERATOR_CLI, type SignedIn } from "@/lib/access/actor";
import { type NewEvent, record } from "@/lib/access/audit/record";
import { isId } from "@/lib/access/id";
import { change } from "@/lib/access/revision";
import { hashSecret } from "@/lib/access/secret";
import { endSessions } from "@/lib/access/sign-in/account-sessions";
import type { RefusedSignIn } from "@/lib/access/sign-in/sign-in-limits";
import { createSeal, type Seal } from "@/lib/access/sign-in/tickets";
import type { Database } from "@/lib/platform/database/database";
import type { Clock } from "@/lib/platform/timing/clock";
import { MINUTE_MS, QUARTER_HOUR_MS } from "@/lib/time/units";
import type { Prisma } from "@/prisma/generated/client";

/**
 * The second factor for signing in: codes of an authenticator app, and recovery codes for when the device is lost.
 * Every method rejects with an AccessError for what the caller can correct.
 *
 * Secrets are encrypted with the session secret. After that has changed, signing in accepts recovery codes only,
 * and the operator can reset the second factor.
 */
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

/** A secret that is shown to its owner until a first code confirms it. */
interface Enrolment {
  /** Base32, for typing into an app. */
  readonly secret: string;
  /** The otpauth:// address for the QR code. */
  readonly uri: string;
}

const ENROLMENT_MS = QUARTER_HOUR_MS;

/** Creates a secret to show. Signing in requires no code until `confirmEnrolment`. */
async function beginEnrolment({ database, now, seal }: SecondFactorContext, accountId: string): Promise<void> {
  const { rowCount } = await database.pool.query(
    `INSERT INTO second_factor (account_id, sealed_secret, started_at) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET sealed_secret = $2, started_at = $3, last_step = 0
      WHERE second_factor.confirmed_at IS NULL`,
    [accountId, seal.seal(mintTotpSecret(), accountId), new Date(now()).toISOString()],
  );
  if (rowCount !== 1) throw createAlreadyOnError();
}

/** The secret that `beginEnrolment` created in the last 15 minutes, or null. */
async function findEnrolment(
  context: SecondFactorContext,
  accountId: string,
  email: string,
): Promise<Enrolment | null> {
  const pending = await findPending(context, accountId);
  return pending && { secret: pending.base32, uri: buildTotpUri(pending.base32, email) };
}

/**
 * Turns the second factor on if the code is right, and resolves with the recovery codes, which cannot be shown again.
 * Ends every session except the one with the id `keptSession`: the others were opened with the password alone.
 */
async function confirmEnrolment(
  context: SecondFactorContext,
  typed: string,
  by: SignedIn,
  keptSession?: string,
): Promise<string[]> {
  const { database, now } = context;
  const { accountId } = by;
  const pending = await findPending(context, accountId);
  if (pending === null) throw new AccessError("second_factor_state", "Start again: this secret has expired.");
  const period = findPeriod(pending.base32, typed.replace(/\s/g, ""), now());
  if (period === null) {
    throw new AccessError("wrong_code", "The code is not right. Check that your device's clock is right.");
  }
  return change(database, async (transaction) => {
    const { count } = await transaction.secondFactor.updateMany({
      where: { accountId, confirmedAt: null, sealedSecret: pending.sealedSecret },
      data: { confirmedAt: new Date(now()), lastStep: period, wrongCodes: 0, blockedUntil: null },
    });
    if (count === 0) throw createAlreadyOnError();
    const after = { second_factor: true, ...(await endSessions(transaction, accountId, { allBut: keptSession })) };
    await record(transaction, { atMs: now(), event: "account.enable_second_factor", by, accountId, after });
    return replaceRecoveryCodes(transaction, accountId);
  });
}

async function findPending({ database, now, seal }: SecondFactorContext, accountId: string) {
  const since = new Date(now() - ENROLMENT_MS);
  const row = await database.prisma.secondFactor.findFirst({
    where: { accountId, confirmedAt: null, startedAt: { gt: since } },
  });
  const base32 = row && seal.open(row.sealedSecret, accountId);
  return row === null || base32 === null ? null : { base32, sealedSecret: row.sealedSecret };
}

function createAlreadyOnError(): AccessError {
  return new AccessError("second_factor_state", "A second factor is on already.");
}

/** What the functions on second factors work with. */
interface SecondFactorContext {
  readonly database: Database;
  readonly now: Clock;
  readonly seal: Seal;
}

/**
 * Uses a code of the app, or a recovery code, once. Rejects with "wrong_code". After five wrong codes in a row rejects
 * with "too_many_attempts" for 15 minutes; each five more double that, up to a day. A right recovery code is accepted
 * even then: nobody can guess one, so others who keep guessing do not lock the owner out.
 */
async function checkCode(context: SecondFactorContext, typed: string, by: SignedIn): Promise<void> {
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

/**
 * Counts guesses at a second factor in the database, before each is checked, like other attempts. The waits grow, because
 * the guesser already has the password.
 */

interface Guess {
  /** Wrong codes in a row, including this guess. */
  readonly wrongCodes: number;
  /** Set if no guess is allowed after this one, unless it is right. */
  readonly blockedUntilMs: number | null;
}

const MAX_IN_A_ROW = 5;

/** Counts one guess. Rejects with "too_many_attempts" while blocked, and "second_factor_state" without a second factor. */
async function takeGuess(pool: Pool, accountId: string, nowMs: number): Promise<Guess> {
  const now = new Date(nowMs).toISOString();
  const { rows } = await pool.query<Guess>(
    `UPDATE second_factor SET wrong_codes = wrong_codes + 1, blocked_until =
            CASE WHEN (wrong_codes + 1) % ${MAX_IN_A_ROW} = 0 THEN $2::timestamptz + least(interval '1 day',
              interval '15 minutes' * 2 ^ least((wrong_codes + 1) / ${MAX_IN_A_ROW} - 1, 7)) END
      WHERE account_id = $1 AND confirmed_at IS NOT NULL AND coalesce(blocked_until <= $2::timestamptz, true)
      RETURNING wrong_codes AS "wrongCodes", (extract(epoch FROM blocked_until) * 1000)::float8 AS "blockedUntilMs"`,
    [accountId, now],
  );
  if (rows[0] !== undefined) return rows[0];
  const { rows: found } = await pool.query<{ untilMs: number }>(
    `SELECT coalesce(extract(epoch FROM blocked_until) * 1000, 0)::float8 AS "untilMs"
       FROM second_factor WHERE account_id = $1 AND confirmed_at IS NOT NULL`,
    [accountId],
  );
  if (found[0] === undefined) throw new AccessError("second_factor_state", "This account has no second factor.");
  const wait = formatWait(found[0].untilMs, nowMs);
  throw new AccessError("too_many_attempts", `Too many wrong codes. ${wait} A recovery code works at once.`);
}

function describeWrongCode({ blockedUntilMs }: Guess, nowMs: number): string {
  const wrong = "The code is not right, or was used already.";
  return blockedUntilMs === null ? wrong : `${wrong} ${formatWait(blockedUntilMs, nowMs)}`;
}

function formatWait(untilMs: number, nowMs: number): string {
  const minutes = Math.max(1, Math.ceil((untilMs - nowMs) / MINUTE_MS));
  const hours = Math.ceil(minutes / 60);
  if (minutes > 90) return `Try again in ${hours} hours.`;
  return `Try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`;
}

/** Recovery codes: sixteen characters (80 random bits) of Crockford's alphabet, without letters that look like digits. */

const COUNT = 10;
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const LENGTH = 16;

/** Ten new codes as people see them, "8k2m-x0vd-9hq4-tz7c", with the hashes to store. */
export function mintRecoveryCodes(): { code: string; codeHash: string }[] {
  return Array.from({ length: COUNT }, () => {
    // 256 is a multiple of 32, so every character is equally likely.
    const code = [...randomBytes(LENGTH)].map((byte) => ALPHABET[byte % ALPHABET.length]).join("");
    return { code: code.replace(/(.{4})(?=.)/g, "$1-"), codeHash: hashSecret(code) };
  });
}

/** The stored hash of a code, however it was typed; null if the text cannot be a code. */
export function hashRecoveryCode(typed: string): string | null {
  const code = typed.toLowerCase().replace(/[\s-]/g, "").replace(/[il]/g, "1").replace(/o/g, "0");
  if (code.length !== LENGTH || [...code].some((character) => !ALPHABET.includes(character))) return null;
  return hashSecret(code);
}

/** Replaces the account's recovery codes and resolves with the new ones. */
async function replaceRecoveryCodes(transaction: Prisma.TransactionClient, accountId: string): Promise<string[]> {
  const codes = mintRecoveryCodes();
  await transaction.recoveryCode.deleteMany({ where: { accountId } });
  await transaction.recoveryCode.createMany({ data: codes.map(({ codeHash }) => ({ accountId, codeHash })) });
  return codes.map(({ code }) => code);
}

/** Codes of six digits that change every 30 seconds (TOTP, RFC 6238). */

const PERIOD_S = 30;
/** Also accepts the codes of the periods before and after, because clocks differ and people type slowly. */
const WINDOW = 1;

function createTotp(base32: string, label: string): TOTP {
  const secret = Secret.fromBase32(base32);
  return new TOTP({ issuer: "Spotline", label, algorithm: "SHA1", digits: 6, period: PERIOD_S, secret });
}

/** A new random secret, in base32. */
function mintTotpSecret(): string {
  return new Secret({ size: 20 }).base32;
}

/** The otpauth:// address that an authenticator app reads from a QR code. */
function buildTotpUri(base32: string, label: string): string {
  return createTotp(base32, label).toString();
}

/** The number of the 30-second period whose code this is, counted from 1970; null if the code is not right now. */
function findPeriod(base32: string, code: string, nowMs: number): number | null {
  const totp = createTotp(base32, "");
  const delta = totp.validate({ token: code, timestamp: nowMs, window: WINDOW });
  return delta === null ? null : totp.counter({ timestamp: nowMs }) + delta;
}
