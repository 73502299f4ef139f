import type { Database } from "@/lib/platform/database";
import { changeRevision } from "@/lib/platform/revision";
import type { Prisma } from "@/prisma/generated/client";

/** Whoever keeps accounts and keys in memory, and must hear of a change before it is acknowledged. */
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

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Ids come from addresses and command lines: what is not one must find nothing, rather than fail in the database. */
export function isId(text: string): boolean {
  return uuid.test(text);
}
