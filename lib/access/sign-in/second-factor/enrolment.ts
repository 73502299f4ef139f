import { AccessError } from "@/lib/access/access-error";
import type { SignedIn } from "@/lib/access/actor";
import { record } from "@/lib/access/record";
import { change } from "@/lib/access/revision";
import { endSessions } from "@/lib/access/sign-in/account-session";
import type { SecondFactorContext } from "@/lib/access/sign-in/second-factor/check-code";
import { replaceRecoveryCodes } from "@/lib/access/sign-in/second-factor/recovery-codes";
import { buildTotpUri, findPeriod, mintTotpSecret } from "@/lib/access/sign-in/second-factor/totp";
import { QUARTER_HOUR_MS } from "@/lib/time/units";

/** A secret that is shown to its owner until a first code confirms it. */
export interface Enrolment {
  /** Base32, for typing into an app. */
  readonly secret: string;
  /** The otpauth:// address for the QR code. */
  readonly uri: string;
}

const ENROLMENT_MS = QUARTER_HOUR_MS;

/** Creates a secret to show. Signing in requires no code until `confirmEnrolment`. */
export async function beginEnrolment({ database, now, seal }: SecondFactorContext, accountId: string): Promise<void> {
  const { rowCount } = await database.pool.query(
    `INSERT INTO second_factor (account_id, sealed_secret, started_at) VALUES ($1, $2, $3)
     ON CONFLICT (account_id) DO UPDATE SET sealed_secret = $2, started_at = $3, last_step = 0
      WHERE second_factor.confirmed_at IS NULL`,
    [accountId, seal.seal(mintTotpSecret(), accountId), new Date(now()).toISOString()],
  );
  if (rowCount !== 1) throw createAlreadyOnError();
}

/** The secret that `beginEnrolment` created in the last 15 minutes, or null. */
export async function findEnrolment(
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
export async function confirmEnrolment(
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
