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
  return changeRevision(database, OPTIONS, (transaction, revision) => {
    allowRecording(transaction, key);
    return work(transaction, revision);
  });
}
