import { NO_ACCOUNT, record } from "@/lib/access/audit/record";
import { change } from "@/lib/access/revision";
import type { HeadLine } from "@/lib/history/proof/day-heads";
import type { Database } from "@/lib/platform/database/database";
import { DAY_MS } from "@/lib/time/units";

/** The heads of the history in the audit log, whose hashes need a key that the database does not have. */

const EVENT = "history.note_head";

export type RecordedHead = Pick<HeadLine, "line" | "hash" | "atMs">;

/** Adds the newest head to the audit log, unless it has one of the same UTC day. */
export async function recordHead(database: Database, { line, hash, atMs }: HeadLine): Promise<void> {
  const last = await database.prisma.auditEvent.findFirst({ where: { event: EVENT }, orderBy: { seq: "desc" } });
  const toDay = (timeMs: number) => Math.floor(timeMs / DAY_MS);
  if (last !== null && toDay(last.at.getTime()) === toDay(atMs)) return;
  await change(database, (transaction) =>
    record(transaction, { atMs, event: EVENT, by: { kind: "server" }, accountId: NO_ACCOUNT, after: { line, hash } }),
  );
}

/** The heads in the audit log, oldest first. `audit verify` tells whether the log itself is as it was written. */
export async function* readRecordedHeads({ prisma }: Pick<Database, "prisma">): AsyncGenerator<RecordedHead> {
  const events = await prisma.auditEvent.findMany({ where: { event: EVENT }, orderBy: { seq: "asc" } });
  for (const { at, after } of events) {
    const { line, hash } = (after ?? {}) as { line?: unknown; hash?: unknown };
    if (typeof line === "number" && typeof hash === "string") yield { line, hash, atMs: at.getTime() };
  }
}
