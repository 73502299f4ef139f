import type { Pool } from "pg";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import { createAuditNotices } from "@/lib/access/notices/audit-notices";
import type { KeyUses } from "@/lib/access/notices/key-uses";
import type { DueMail } from "@/lib/access/notices/notice-mails";
import { buildExpiryNotice, buildQuotaNotice } from "@/lib/access/notices/notice-rules";
import { findNoticePath, formatNoticeText, formatNoticeTitle } from "@/lib/access/notices/notice-text";
import type { NewNotice, Notices } from "@/lib/access/notices/notices";
import { createUnusedKeys } from "@/lib/access/notices/unused-keys";
import type { Config } from "@/lib/platform/config";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import { createMailer, type Mailer } from "@/lib/platform/mail";
import type { Clock } from "@/lib/platform/timing/clock";
import { repeat } from "@/lib/platform/timing/repeat";
import { SECOND_MS } from "@/lib/time/units";

interface Options {
  readonly pool: Pool;
  readonly keyUses: KeyUses;
  readonly directory: Pick<Directory, "keys">;
  readonly notices: Notices;
  /** Null without a mail server. */
  readonly mailer: Mailer | null;
  /** The base of links in mails, without a slash at the end. */
  readonly publicUrl: string;
  readonly now: Clock;
  readonly log: Logger;
  readonly pauseMs?: number;
}

/** What a notice is about: a daily quota, or a key that expires. */
type Subject = KeyEntry["day"] | KeyEntry;

const MAIL_PAUSE_MS = 15 * SECOND_MS;

/**
 * Checks quotas, expiring and unused keys, the uses of keys and the audit log every few seconds and notifies the accounts. It reads
 * what calls leave in memory, so that no call waits for it.
 */
export function createNoticeWatch(options: Options) {
  const { pool, keyUses, directory, notices, mailer, publicUrl, now, log, pauseMs = 3_000 } = options;
  const auditNotices = createAuditNotices(pool);
  const unusedKeys = createUnusedKeys(pool);
  /** The topic and level of the last notice about each subject, so that each notice is written once. */
  const written = new WeakMap<Subject, string>();
  let mailsCheckedAtMs = -Infinity;

  async function writeNotices(): Promise<void> {
    const due = findDueNotices();
    await add([...due.values()]);
    for (const [subject, notice] of due) written.set(subject, describe(notice));
    await keyUses.flush(pool, add);
    await auditNotices.flush(add);
    await unusedKeys.flush(add, now());
  }

  async function add(due: readonly NewNotice[]): Promise<void> {
    await notices.add(due, mailer !== null);
    if (due.length > 0) mailsCheckedAtMs = -Infinity;
  }

  function findDueNotices(): Map<Subject, NewNotice> {
    const nowMs = now();
    const due = new Map<Subject, NewNotice>();
    const days = new Set<Subject>();
    const add = (subject: Subject, notice: NewNotice | null) => {
      if (notice !== null && written.get(subject) !== describe(notice)) due.set(subject, notice);
    };
    for (const key of directory.keys()) {
      if (key.account.suspended) continue;
      if (!days.has(key.day)) add(key.day, buildQuotaNotice(key, nowMs));
      days.add(key.day);
      add(key, buildExpiryNotice(key, nowMs));
    }
    return due;
  }

  async function sendMails(to: Mailer): Promise<void> {
    if (now() < mailsCheckedAtMs + MAIL_PAUSE_MS) return;
    for (const mail of await notices.claimDueMails()) await sendMail(to, mail);
    mailsCheckedAtMs = now();
  }

  async function sendMail(to: Mailer, mail: DueMail): Promise<void> {
    const { id, email, facts, createdAtMs } = mail;
    const text = `${formatNoticeText(facts)}\n\n${publicUrl}${findNoticePath(facts)}\n`;
    try {
      // What was added to a notice is another mail, which must not look like the first one arriving twice.
      await to.send({ to: email, subject: formatNoticeTitle(facts), text, id: `${id}-${createdAtMs}` });
    } catch (error) {
      const isRetried = await notices.retryMail(mail);
      const message = isRetried ? "notice mail failed; trying again" : "notice mail failed; giving up";
      log.error({ err: error, notice: id }, message);
    }
  }

  async function check(): Promise<void> {
    await writeNotices();
    if (mailer !== null) await sendMails(mailer);
  }

  const checking = repeat(check, {
    pauseMs,
    onFailure: (error) => log.error({ err: error }, "notices cannot be written; trying again"),
    onRecovery: () => log.info("notices can be written again"),
  });

  return {
    /** Writes and mails the notices that are due now. */
    check,
    async start(): Promise<void> {
      await notices.deleteOld();
      checking.start();
    },
    stop: (): void => checking.stop(),
  };
}

function describe({ topic, level }: NewNotice): string {
  return `${topic} ${level}`;
}

/** Starts the watch with the operator's mail server, if one is configured. */
export async function startNoticeWatch({
  config: { mail, publicUrl },
  database: { pool },
  ...parts
}: Omit<Options, "mailer" | "publicUrl" | "pool"> & {
  readonly config: Pick<Config, "mail" | "publicUrl">;
  readonly database: Pick<Database, "pool">;
}) {
  const watch = createNoticeWatch({ ...parts, pool, publicUrl, mailer: mail && createMailer(mail) });
  await watch.start();
  return watch;
}
