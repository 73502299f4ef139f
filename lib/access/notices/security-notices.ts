import type { Pool } from "pg";
import type { NewNotice } from "@/lib/access/notices/notices";
import { addOccurrence, type SecurityFacts } from "@/lib/access/notices/security-text";

/**
 * Notices about the security of accounts. Events of one topic, which is that of an hour or a day, share a notice: what
 * happens again is added to it. So nothing is lost, and nobody can fill the page or the mailbox: a topic is mailed at
 * once, and with all that was added when its hour or day is over.
 */

interface SecurityNotice extends NewNotice {
  readonly facts: SecurityFacts;
}

interface Stored {
  readonly accountId: string;
  readonly topic: string;
  readonly facts: SecurityFacts;
}

/** A notice to write, new or changed. */
type Change = Stored & { readonly level: number; readonly mailAtMs: number };

export function isSecurityNotice(notice: NewNotice): notice is SecurityNotice {
  return notice.facts.kind === "security";
}

/** Writes events as notices, or adds them to the notices of their topics. Ignores events that are known. */
export async function addSecurityNotices(
  pool: Pool,
  notices: readonly SecurityNotice[],
  byMail: boolean,
  nowMs: number,
): Promise<void> {
  if (notices.length === 0) return;
  const client = await pool.connect();
  try {
    await client.query("BEGIN");
    const accountIds = [...new Set(notices.map(({ accountId }) => accountId))];
    // Other processes that write notices of these accounts wait for this one.
    await client.query("SELECT FROM account WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE", [accountIds]);
    const { rows } = await client.query<Stored>(
      `SELECT account_id AS "accountId", topic, facts FROM notice
        WHERE account_id = ANY($1::uuid[]) AND topic = ANY($2::text[]) AND facts->>'kind' = 'security'`,
      [accountIds, [...new Set(notices.map(({ topic }) => topic))]],
    );
    const changes = findChanges(rows, notices, nowMs);
    const column = <Value>(pick: (change: Change) => Value) => changes.map(pick);
    await client.query(
      `INSERT INTO notice (id, account_id, topic, level, facts, created_at, mail_due_at)
       SELECT gen_random_uuid(), added.account_id, added.topic, added.level, added.facts::jsonb,
              to_timestamp($6::float8 / 1000), to_timestamp(added.mail_at_ms / 1000)
         FROM unnest($1::uuid[], $2::text[], $3::int4[], $4::text[], $5::float8[])
              AS added (account_id, topic, level, facts, mail_at_ms)
         JOIN account ON account.id = added.account_id
       ON CONFLICT (account_id, topic, level) DO UPDATE
          SET facts = excluded.facts, created_at = excluded.created_at, dismissed_at = NULL, mail_tries = 0,
              mail_due_at = coalesce(notice.mail_due_at, excluded.mail_due_at)`,
      [
        column(({ accountId }) => accountId),
        column(({ topic }) => topic),
        column(({ level }) => level),
        column(({ facts }) => JSON.stringify(facts)),
        column(({ mailAtMs }) => (byMail ? mailAtMs : null)),
        nowMs,
      ],
    );
    await client.query("COMMIT");
  } catch (error) {
    await client.query("ROLLBACK").catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

function findChanges(stored: readonly Stored[], notices: readonly SecurityNotice[], nowMs: number): Change[] {
  const formatName = ({ accountId, topic }: Pick<Stored, "accountId" | "topic">) => `${accountId} ${topic}`;
  const before = new Map(stored.map((each) => [formatName(each), each.facts]));
  const changes = new Map<string, Change>();
  for (const notice of notices) {
    const { accountId, topic, level, facts: added, againAtMs = nowMs } = notice;
    const name = formatName(notice);
    const known = changes.get(name)?.facts ?? before.get(name);
    const facts = known === undefined ? added : addOccurrence(known, added);
    if (facts === known) continue;
    const mailAtMs = before.has(name) ? againAtMs : nowMs;
    changes.set(name, { accountId, topic, level, facts, mailAtMs });
  }
  return [...changes.values()];
}
