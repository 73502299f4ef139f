import { type DayWindow, startOfDay, usedToday } from "@/lib/access/admission/day-window";
import type { Directory, KeyEntry } from "@/lib/access/admission/directory";
import { noticePath, noticeText, noticeTitle } from "@/lib/access/notices/notice-text";
import type { DueMail, NewNotice, Notices } from "@/lib/access/notices/notices";
import { NO_LIMIT } from "@/lib/access/plans";
import type { Clock } from "@/lib/platform/clock";
import type { Config } from "@/lib/platform/config";
import type { Logger } from "@/lib/platform/log";
import { createMailer, type Mailer } from "@/lib/platform/mail";
import { repeat } from "@/lib/platform/repetition";
import { DAY_MS } from "@/lib/time/units";

/**
 * Looks every few seconds at the counters that the limits go by and at the keys that are about to end, and tells their
 * accounts. No call waits for it: it reads what is in memory, and touches the database only when there is something to
 * tell or a mail to send.
 */

interface Options {
  readonly directory: Pick<Directory, "keys">;
  readonly notices: Notices;
  /** Null where no mail server is set. */
  readonly mailer: Mailer | null;
  /** Where links in mails lead, without a slash at the end. */
  readonly publicUrl: string;
  readonly now: Clock;
  readonly log: Logger;
  readonly pauseMs?: number;
}

const percents = [100, 80, 50] as const;
/** Days before the end of a key, and how pressing each is. */
const remindersOfEnd = [
  { days: 1, level: 2 },
  { days: 7, level: 1 },
] as const;
const mailPauseMs = 15_000;

export function createNoticeWatch({ directory, notices, mailer, publicUrl, now, log, pauseMs = 3_000 }: Options) {
  /** What has been told of each, so that the database is asked once. */
  const toldOfDay = new WeakMap<DayWindow, { dayMs: number; percent: number }>();
  const toldOfEnd = new WeakMap<KeyEntry, string>();
  let mailsLookedAtMs = -Infinity;

  async function tellNews(): Promise<void> {
    const nowMs = now();
    const news: NewNotice[] = [];
    const told: (() => void)[] = [];
    const days = new Set<DayWindow>();
    for (const key of directory.keys()) {
      if (key.account.suspended) continue;
      const { day } = key;
      if (!days.has(day)) {
        days.add(day);
        const notice = quotaNotice(key, nowMs);
        const before = toldOfDay.get(day);
        if (notice !== null && (before?.dayMs !== startOfDay(nowMs) || before.percent < notice.level)) {
          news.push(notice);
          told.push(() => toldOfDay.set(day, { dayMs: startOfDay(nowMs), percent: notice.level }));
        }
      }
      const ending = endNotice(key, nowMs);
      if (ending !== null && toldOfEnd.get(key) !== `${ending.topic} ${ending.level}`) {
        news.push(ending);
        told.push(() => toldOfEnd.set(key, `${ending.topic} ${ending.level}`));
      }
    }
    await notices.tell(news, { byMail: mailer !== null });
    for (const remember of told) remember();
    if (news.length > 0) mailsLookedAtMs = -Infinity;
  }

  async function sendMails(to: Mailer): Promise<void> {
    if (now() < mailsLookedAtMs + mailPauseMs) return;
    for (const mail of await notices.takeDueMails()) await sendMail(to, mail);
    mailsLookedAtMs = now();
  }

  async function sendMail(to: Mailer, mail: DueMail): Promise<void> {
    const { id, email, facts } = mail;
    const text = `${noticeText(facts)}\n\n${publicUrl}${noticePath(facts)}\n`;
    try {
      await to.send({ to: email, subject: noticeTitle(facts), text, id });
    } catch (error) {
      const again = await notices.mailAgain(mail);
      log.error({ err: error, notice: id }, again ? "a mail could not be sent; trying again" : "a mail is given up");
    }
  }

  async function look(): Promise<void> {
    await tellNews();
    if (mailer !== null) await sendMails(mailer);
  }

  const looking = repeat(look, {
    pauseMs,
    onLost: (error) => log.error({ err: error }, "notices cannot be written; trying again"),
    onBack: () => log.info("notices can be written again"),
  });

  return {
    /** Tells and mails what there is to tell now. */
    look,
    async start(): Promise<void> {
      await notices.forgetOld();
      looking.start();
    },
    stop(): void {
      looking.stop();
    },
  };
}

/** Starts the watch with the operator's mail server, where one is set. */
export async function startNoticeWatch({
  config: { mail, publicUrl },
  ...parts
}: Omit<Options, "mailer" | "publicUrl"> & { readonly config: Pick<Config, "mail" | "publicUrl"> }) {
  const watch = createNoticeWatch({ ...parts, publicUrl, mailer: mail && createMailer(mail) });
  await watch.start();
  return watch;
}

function quotaNotice({ day, perDay: limit, account }: KeyEntry, nowMs: number): NewNotice | null {
  const used = usedToday(day, nowMs);
  const percent = percents.find((each) => used * 100 >= limit * each);
  if (limit === NO_LIMIT || percent === undefined) return null;
  const keys = day === account.days.tool ? "tool" : "account";
  const date = new Date(nowMs).toISOString().slice(0, 10);
  return {
    accountId: account.id,
    topic: `quota ${keys} ${date}`,
    level: percent,
    facts: { kind: "quota", keys, day: date, percent, used, limit },
  };
}

/** A key that was made to live no longer than that, or was replaced and ends for that reason, is no news to its owner. */
function endNotice(key: KeyEntry, nowMs: number): NewNotice | null {
  const leftMs = key.expiresAtMs - nowMs;
  const reminder = remindersOfEnd.find(({ days }) => leftMs <= days * DAY_MS);
  if (reminder === undefined || leftMs <= 0 || key.revoked) return null;
  const { days, level } = reminder;
  const expiresAt = new Date(key.expiresAtMs).toISOString();
  return {
    accountId: key.accountId,
    topic: `end of key ${key.id} ${expiresAt}`,
    level,
    facts: { kind: "expiry", keyId: key.id, label: key.label, expiresAt, days },
    keyOlderThanMs: key.expiresAtMs - days * DAY_MS,
  };
}
