import type { Pool } from "pg";
import { AccessError } from "@/lib/access/access-error";
import { MINUTE_MS } from "@/lib/time/units";

/**
 * Guesses at a second factor, counted in the database before each is checked: for every process alike, across restarts,
 * and so that guesses made at once do not slip through. Whoever guesses has the password already, so waits grow.
 */

interface Guess {
  /** In a row, this one among them. */
  readonly wrongCodes: number;
  /** Set where this is the last one for now, unless it is right. */
  readonly blockedUntilMs: number | null;
}

const MOST_IN_A_ROW = 5;

/** Takes one guess. Rejects with "too_many_attempts" while there is none, "second_factor_state" without a second factor. */
export async function takeGuess(pool: Pool, accountId: string, nowMs: number): Promise<Guess> {
  const now = new Date(nowMs).toISOString();
  const { rows } = await pool.query<Guess>(
    `UPDATE second_factor SET wrong_codes = wrong_codes + 1, blocked_until =
            CASE WHEN (wrong_codes + 1) % ${MOST_IN_A_ROW} = 0 THEN $2::timestamptz + least(interval '1 day',
              interval '15 minutes' * 2 ^ least((wrong_codes + 1) / ${MOST_IN_A_ROW} - 1, 7)) END
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
  throw new AccessError("too_many_attempts", `Too many wrong codes. ${waitUntil(found[0].untilMs, nowMs)}`);
}

/** What to say of a guess that was wrong. */
export function guessOutcome({ blockedUntilMs }: Guess, nowMs: number): string {
  const wrong = "The code is not right, or was used already.";
  return blockedUntilMs === null ? wrong : `${wrong} ${waitUntil(blockedUntilMs, nowMs)}`;
}

function waitUntil(untilMs: number, nowMs: number): string {
  const minutes = Math.max(1, Math.ceil((untilMs - nowMs) / MINUTE_MS));
  const hours = Math.ceil(minutes / 60);
  if (minutes > 90) return `Try again in ${hours} hours.`;
  return `Try again in ${minutes} minute${minutes === 1 ? "" : "s"}.`;
}
