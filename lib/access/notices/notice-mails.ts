import type { Pool } from "pg";
import type { NoticeFacts } from "@/lib/access/notices/notice-text";
import { MINUTE_MS } from "@/lib/time/units";

export interface DueMail {
  readonly id: string;
  readonly email: string;
  readonly facts: NoticeFacts;
  /** When the notice was written, or last added to. */
  readonly createdAtMs: number;
  /** The number of attempts, including this one. */
  readonly tries: number;
}

const MAX_BATCH = 20;
const MAX_TRIES = 6;
const FIRST_PAUSE_MS = MINUTE_MS;

/**
 * Claims the mails that are due. The claimer sends them: if it dies first, a mail stays unsent rather than being sent
 * twice.
 */
export async function claimDueMails(pool: Pool, nowMs: number): Promise<DueMail[]> {
  const { rows } = await pool.query<DueMail>(
    `UPDATE notice SET mail_due_at = NULL, mail_tries = mail_tries + 1
       FROM account
      WHERE account.id = notice.account_id AND notice.id IN (
              SELECT id FROM notice WHERE mail_due_at <= to_timestamp($1::float8 / 1000)
               ORDER BY mail_due_at LIMIT ${MAX_BATCH} FOR UPDATE SKIP LOCKED)
    RETURNING notice.id, account.email, notice.facts, notice.mail_tries AS tries,
              (extract(epoch FROM notice.created_at) * 1000)::float8 AS "createdAtMs"`,
    [nowMs],
  );
  return rows;
}

/** Schedules a failed mail again after 1, 2, 4 … minutes. Resolves with false if it was the last try. */
export async function retryMail(pool: Pool, { id, tries }: DueMail, nowMs: number): Promise<boolean> {
  if (tries >= MAX_TRIES) return false;
  await pool.query("UPDATE notice SET mail_due_at = to_timestamp($2::float8 / 1000) WHERE id = $1", [
    id,
    nowMs + FIRST_PAUSE_MS * 2 ** (tries - 1),
  ]);
  return true;
}
