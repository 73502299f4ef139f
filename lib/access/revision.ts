import { deriveAuditKey } from "@/lib/access/audit/audit-keys";
import { allowRecording } from "@/lib/access/audit/record";
import type { Database } from "@/lib/platform/database/database";
import { changeRevision } from "@/lib/platform/database/revision";
import { MINUTE_MS } from "@/lib/time/units";
import type { Prisma } from "@/prisma/generated/client";

/** A copy of accounts and keys in memory that is refreshed before a change is acknowledged. */
export interface Refreshable {
  refresh(): Promise<void>;
}

/** Changes wait for those before them, which on a busy machine takes seconds. Each query has a limit of its own. */
const OPTIONS = { table: "access_revision", maxWait: 10_000, timeout: MINUTE_MS } as const;

/** Runs one change to accounts or keys, which `record` may record. `work` must write `revision` into every changed row. */
export async function change<Result>(
  database: Database,
  work: (transaction: Prisma.TransactionClient, revision: bigint) => Promise<Result>,
): Promise<Result> {
  const key = deriveAuditKey(await database.readSecret());
  try {
    return await changeRevision(database, OPTIONS, (transaction, revision) => {
      allowRecording(transaction, key);
      return work(transaction, revision);
    });
  } finally {
    // Also after a failure: a commit whose answer was lost may have been made.
    ownChanges.set(database, countChanges(database) + 1);
  }
}

const ownChanges = new WeakMap<Database, number>();
/** The number of changes that this process has made or tried to make. */
export const countChanges = (database: Database): number => ownChanges.get(database) ?? 0;

/** How long what was read of a caller stays valid while the database cannot be read: it may hold a revocation. */
export const MAX_UNCONFIRMED_MS = 2 * MINUTE_MS;
