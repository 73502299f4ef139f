import type { Database } from "@/lib/platform/database";
import { changeRevision } from "@/lib/platform/revision";
import type { Prisma } from "@/prisma/generated/client";

/** A copy of accounts and keys in memory that is refreshed before a change is acknowledged. */
export interface Refreshable {
  refresh(): Promise<void>;
}

const OPTIONS = { table: "access_revision", maxWait: 5_000, timeout: 5_000 } as const;

/** Runs one change to accounts or keys. `work` must write `revision` into every row it changes. */
export function change<Result>(
  database: Database,
  work: (transaction: Prisma.TransactionClient, revision: bigint) => Promise<Result>,
): Promise<Result> {
  return changeRevision(database, OPTIONS, work);
}

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Whether a text can be an id. Other texts must find nothing instead of failing in the database. */
export function isId(text: string): boolean {
  return UUID.test(text);
}
