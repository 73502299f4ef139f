import type { Pool } from "pg";
import type { NoticeFacts } from "@/lib/access/notices/notice-text";
import { isId } from "@/lib/access/revision";
import type { Clock } from "@/lib/platform/clock";
import { DAY_MS, MINUTE_MS } from "@/lib/time/units";

/**
 * What accounts have been told. The unique row of account, topic and level decides: however many processes want to tell
 * the same, and however often they start anew, it is told once.
 */

export interface NewNotice {
  readonly accountId: string;
  readonly topic: string;
  readonly level: number;
  readonly facts: NoticeFacts;
  /** For a key's end: told only if the key is older than this, UTC milliseconds, and has not been replaced. */
  readonly keyOlderThanMs?: number;
}

export interface Notice {
  readonly id: string;
  readonly facts: NoticeFacts;
  readonly createdAtMs: number;
  readonly dismissedAtMs: number | null;
}

export interface DueMail {
  readonly id: string;
  readonly email: string;
  readonly facts: NoticeFacts;
  /** How often it has been tried, this time included. */
  readonly tries: number;
}

export type Notices = ReturnType<typeof createNotices>;

const keepMs = 90 * DAY_MS;
const mostListed = 100;
const mostMailsAtOnce = 20;
const mostTries = 6;
const firstPauseMs = MINUTE_MS;

export function createNotices(pool: Pool, { now }: { now: Clock }) {
  return {
    /** Tells what has not been told. A notice is passed over where one of its topic is as pressing already. */
    async tell(notices: readonly NewNotice[], { byMail }: { byMail: boolean }): Promise<void> {
      if (notices.length === 0) return;
      const column = <Value>(pick: (notice: NewNotice) => Value) => notices.map(pick);
      await pool.query(
        `INSERT INTO notice (id, account_id, topic, level, facts, created_at, mail_due_at)
         SELECT gen_random_uuid(), added.account_id, added.topic, added.level, added.facts::jsonb,
                to_timestamp($7::float8 / 1000), CASE WHEN $8::bool THEN to_timestamp($7::float8 / 1000) END
           FROM unnest($1::uuid[], $2::text[], $3::int4[], $4::text[], $5::uuid[], $6::float8[])
                AS added (account_id, topic, level, facts, key_id, older_than_ms)
           JOIN account ON account.id = added.account_id
           LEFT JOIN api_key ON api_key.id = added.key_id
          WHERE NOT EXISTS (SELECT FROM notice WHERE notice.account_id = added.account_id
                               AND notice.topic = added.topic AND notice.level >= added.level)
            AND (added.key_id IS NULL OR (api_key.replaced_by_id IS NULL
                 AND api_key.created_at <= to_timestamp(added.older_than_ms / 1000)))
         ON CONFLICT DO NOTHING`,
        [
          column(({ accountId }) => accountId),
          column(({ topic }) => topic),
          column(({ level }) => level),
          column(({ facts }) => JSON.stringify(facts)),
          column(({ facts }) => (facts.kind === "expiry" ? facts.keyId : null)),
          column(({ keyOlderThanMs }) => keyOlderThanMs ?? null),
          now(),
          byMail,
        ],
      );
    },

    /** What an account has been told, newest first. */
    async list(accountId: string): Promise<Notice[]> {
      if (!isId(accountId)) return [];
      const { rows } = await pool.query<Notice>(
        `SELECT id, facts, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
                (extract(epoch FROM dismissed_at) * 1000)::float8 AS "dismissedAtMs"
           FROM notice WHERE account_id = $1 ORDER BY created_at DESC, id LIMIT ${mostListed}`,
        [accountId],
      );
      return rows;
    },

    /** How many of them nobody has dismissed. */
    async countNew(accountId: string): Promise<number> {
      if (!isId(accountId)) return 0;
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*)::int4 AS count FROM notice WHERE account_id = $1 AND dismissed_at IS NULL",
        [accountId],
      );
      return rows[0]?.count ?? 0;
    },

    /** Puts one notice of the account's own away, or all of them. What is none of its own stays. */
    async dismiss(accountId: string, id: string | "all"): Promise<void> {
      if (!isId(accountId) || (id !== "all" && !isId(id))) return;
      await pool.query(
        `UPDATE notice SET dismissed_at = to_timestamp($3::float8 / 1000)
          WHERE account_id = $1 AND ($2::uuid IS NULL OR id = $2) AND dismissed_at IS NULL`,
        [accountId, id === "all" ? null : id, now()],
      );
    },

    /**
     * Takes what is to be mailed now. Whoever took it mails it: a process that dies in between leaves a mail unsent
     * rather than sent twice.
     */
    async takeDueMails(): Promise<DueMail[]> {
      const { rows } = await pool.query<DueMail>(
        `UPDATE notice SET mail_due_at = NULL, mail_tries = mail_tries + 1
           FROM account
          WHERE account.id = notice.account_id AND notice.id IN (
                  SELECT id FROM notice WHERE mail_due_at <= to_timestamp($1::float8 / 1000)
                   ORDER BY mail_due_at LIMIT ${mostMailsAtOnce} FOR UPDATE SKIP LOCKED)
        RETURNING notice.id, account.email, notice.facts, notice.mail_tries AS tries`,
        [now()],
      );
      return rows;
    },

    /** Has a mail that could not be sent tried again, after a minute, two, four and so on. Tells whether it is. */
    async mailAgain({ id, tries }: DueMail): Promise<boolean> {
      if (tries >= mostTries) return false;
      await pool.query("UPDATE notice SET mail_due_at = to_timestamp($2::float8 / 1000) WHERE id = $1", [
        id,
        now() + firstPauseMs * 2 ** (tries - 1),
      ]);
      return true;
    },

    /** Removes what was told three months ago. */
    async forgetOld(): Promise<void> {
      await pool.query("DELETE FROM notice WHERE created_at < to_timestamp($1::float8 / 1000)", [now() - keepMs]);
    },
  };
}
