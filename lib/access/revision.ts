import type { Database } from "@/lib/platform/database";
import type { Prisma } from "@/prisma/generated/client";

/** Whoever keeps accounts and keys in memory, and must hear of a change before it is acknowledged. */
export interface Refreshable {
  refresh(): Promise<void>;
}

/**
 * Runs one change to accounts or keys. Raising the revision comes first: its row lock puts all changes, of all
 * processes, in one order, so `work` sees everything committed before it, and whoever reads "newer than n" misses nothing.
 * `work` must write `revision` into every row it changes.
 */
export function change<Result>(
  database: Database,
  work: (transaction: Prisma.TransactionClient, revision: bigint) => Promise<Result>,
): Promise<Result> {
  return database.prisma.$transaction(
    async (transaction) => {
      const [raised] = await transaction.$queryRaw<{ value: bigint }[]>`
        INSERT INTO access_revision (id, value) VALUES (1, 1)
        ON CONFLICT (id) DO UPDATE SET value = access_revision.value + 1
        RETURNING value`;
      if (raised === undefined) throw new Error("The access revision could not be raised.");
      return work(transaction, BigInt(raised.value));
    },
    { maxWait: 5_000, timeout: 5_000 },
  );
}

const uuid = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/** Ids come from addresses and command lines: what is not one must find nothing, rather than fail in the database. */
export function isId(text: string): boolean {
  return uuid.test(text);
}
