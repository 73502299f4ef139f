import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * Counts guesses at a second factor in the database, before each is checked, like attempts.ts. The waits grow, because
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
export async function takeGuess(pool: Pool, accountId: string, nowMs: number): Promise<Guess> {
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

export function describeWrongCode({ blockedUntilMs }: Guess, nowMs: number): string {
  const wrong = "The code is not right, or was used already.";
  return blockedUntilMs === null ? wrong : `${wrong} ${formatWait(blockedUntilMs, nowMs)}`;
}

function formatWait(untilMs: number, nowMs: number): string {
  const minutes = Math.max(1, Math.ceil((untilMs - nowMs) / MINUTE_MS));
  const hours = Math.ceil(minutes / 60);
  if (minutes > 90) return `Try again in ${hours} hours.`;
  return `Try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`;
}
