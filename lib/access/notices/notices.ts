import type { Pool } from "pg";
import { isId } from "@/lib/access/id";
import { readUnmailed, setUnmailed, type UnmailedKinds } from "@/lib/access/notices/notice-choice";
import { claimDueMails, type DueMail, retryMail } from "@/lib/access/notices/notice-mails";
import type { NoticeFacts } from "@/lib/access/notices/notice-text";
import { addSecurityNotices, isSecurityNotice } from "@/lib/access/notices/security-notices";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS } from "@/lib/time/units";

/**
 * Notices to accounts. A notice is unique by account, topic and level, so it is written once, however many processes
 * write it and however often they restart. One about security is added to when the topic has more.
 */
export type Notices = ReturnType<typeof createNotices>;

export interface NewNotice {
  readonly accountId: string;
  readonly topic: string;
  readonly level: number;
  readonly facts: NoticeFacts;
  /** For a key's end: written only if the key was created before this, UTC milliseconds, and was not replaced. */
  readonly keyOlderThanMs?: number;
  /** For security: when the hour or day of the topic ends, and what was added to the notice is mailed. */
  readonly againAtMs?: number;
}

export interface Notice {
  readonly id: string;
  readonly facts: NoticeFacts;
  /** When it was written, or last added to. */
  readonly createdAtMs: number;
  readonly dismissedAtMs: number | null;
}

const RETENTION_MS = 90 * DAY_MS;
const MAX_LISTED = 100;

export function createNotices(pool: Pool, { now }: { now: Clock }) {
  return {
    async add(notices: readonly NewNotice[], byMail: boolean): Promise<void> {
      await addSecurityNotices(pool, notices.filter(isSecurityNotice), byMail, now());
      const others = notices.filter((notice) => !isSecurityNotice(notice));
      await addNotices(pool, others, byMail, now());
    },

    readUnmailed: (accountId: string): Promise<UnmailedKinds> => readUnmailed(pool, accountId),
    setUnmailed: (accountId: string, kinds: UnmailedKinds): Promise<void> => setUnmailed(pool, accountId, kinds),

    claimDueMails: (): Promise<DueMail[]> => claimDueMails(pool, now()),
    retryMail: (mail: DueMail): Promise<boolean> => retryMail(pool, mail, now()),

    /** An account's notices, newest first. */
    async list(accountId: string): Promise<Notice[]> {
      if (!isId(accountId)) return [];
      const { rows } = await pool.query<Notice>(
        `SELECT id, facts, (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
                (extract(epoch FROM dismissed_at) * 1000)::float8 AS "dismissedAtMs"
           FROM notice WHERE account_id = $1 ORDER BY created_at DESC, id LIMIT ${MAX_LISTED}`,
        [accountId],
      );
      return rows;
    },

    /** The number of an account's notices that are not dismissed. */
    async countNew(accountId: string): Promise<number> {
      if (!isId(accountId)) return 0;
      const { rows } = await pool.query<{ count: number }>(
        "SELECT count(*)::int4 AS count FROM notice WHERE account_id = $1 AND dismissed_at IS NULL",
        [accountId],
      );
      return rows[0]?.count ?? 0;
    },

    /** Dismisses one notice of the account, or all. */
    async dismiss(accountId: string, id: string | "all"): Promise<void> {
      if (!isId(accountId) || (id !== "all" && !isId(id))) return;
      await pool.query(
        `UPDATE notice SET dismissed_at = to_timestamp($3::float8 / 1000)
          WHERE account_id = $1 AND ($2::uuid IS NULL OR id = $2) AND dismissed_at IS NULL`,
        [accountId, id === "all" ? null : id, now()],
      );
    },

    /** Deletes notices older than three months. */
    async deleteOld(): Promise<void> {
      await pool.query("DELETE FROM notice WHERE created_at < to_timestamp($1::float8 / 1000)", [now() - RETENTION_MS]);
    },
  };
}

/** Writes notices, except where the account already has one of the topic at the same or a higher level. */
async function addNotices(pool: Pool, notices: readonly NewNotice[], byMail: boolean, nowMs: number): Promise<void> {
  if (notices.length === 0) return;
  const column = <Value>(pick: (notice: NewNotice) => Value) => notices.map(pick);
  await pool.query(
    `INSERT INTO notice (id, account_id, topic, level, facts, created_at, mail_due_at)
     SELECT gen_random_uuid(), added.account_id, added.topic, added.level, added.facts::jsonb,
            to_timestamp($7::float8 / 1000),
            CASE WHEN $8::bool AND NOT (added.kind = ANY(account.unmailed_notices))
                 THEN to_timestamp($7::float8 / 1000) END
       FROM unnest($1::uuid[], $2::text[], $3::int4[], $4::text[], $5::uuid[], $6::float8[],
                   $9::text[])
            AS added (account_id, topic, level, facts, key_id, older_than_ms, kind)
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
      nowMs,
      byMail,
      column(({ facts }) => facts.kind),
    ],
  );
}
