import type { Directory } from "@/lib/access/admission/directory";
import { createKeyUses, type KeyUses } from "@/lib/access/notices/key-uses";
import { createNoticeWatch } from "@/lib/access/notices/notice-watch";
import { createNotices, formatNoticeText, formatNoticeTitle } from "@/lib/access/notices/notices";
import type { Database } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import type { Mailer } from "@/lib/platform/mail";
import type { Clock } from "@/lib/platform/timing/clock";
import { DAY_MS } from "@/lib/time/units";

export type NoticeScene = ReturnType<typeof createNoticeScene>;

/** Watches for notices in a database of a test. */
export function createNoticeScene(database: Database, { directory, now }: { directory: Directory; now: Clock }) {
  const { pool } = database;
  const notices = createNotices(pool, { now });

  function watch(keyUses = createKeyUses(), mailer: Mailer | null = null) {
    const rest = { publicUrl: "https://prices.example", now, log: silentLog };
    return createNoticeWatch({ pool, keyUses, directory, notices, mailer, ...rest });
  }

  return {
    notices,
    watch,
    /** The titles and texts of the notices that a new watch finds for an account, oldest first, and then forgets. */
    async take(accountId: string, keyUses?: KeyUses): Promise<string[]> {
      await watch(keyUses).check();
      const list = await notices.list(accountId);
      const createdAt = new Date(now() - DAY_MS);
      await database.prisma.notice.updateMany({ where: { accountId }, data: { createdAt } });
      const fresh = list.filter(({ createdAtMs }) => createdAtMs === now());
      return fresh.map(({ facts }) => `${formatNoticeTitle(facts)}. ${formatNoticeText(facts)}`).toReversed();
    },
  };
}
