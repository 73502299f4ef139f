import type { Database } from "@/lib/platform/database/database";
import { repeat, type Repetition, shareRuns } from "@/lib/platform/timing/repeat";
import type { Prisma } from "@/prisma/generated/client";

/**
 * A revision counts the changes of some tables. Every change raises it and writes it into the changed rows. A process
 * that holds those rows in memory polls the revision and reads the rows with a higher one than it has loaded.
 */

type RevisionTable = "access_revision" | "calendar_revision" | "instrument_revision";

interface ChangeOptions {
  readonly table: RevisionTable;
  /** How long to wait for a transaction, and how long it may take. */
  readonly maxWait: number;
  readonly timeout: number;
}

/**
 * Runs one change in a transaction. Raising the revision comes first: its row lock puts the changes of all processes in
 * one order, so `work` sees everything committed before it and a reader of newer revisions misses nothing. `work` must
 * write `revision` into every row it changes.
 */
export function changeRevision<Result>(
  { prisma }: Pick<Database, "prisma">,
  { table, ...limits }: ChangeOptions,
  work: (transaction: Prisma.TransactionClient, revision: bigint) => Promise<Result>,
): Promise<Result> {
  return prisma.$transaction(async (transaction) => {
    return work(transaction, await raiseRevision(transaction, table));
  }, limits);
}

/** Raises a revision for the rest of a transaction, like `changeRevision`, and returns it. */
export async function raiseRevision(transaction: Prisma.TransactionClient, table: RevisionTable): Promise<bigint> {
  const [raised] = await transaction.$queryRawUnsafe<{ value: bigint }[]>(
    `INSERT INTO ${table} (id, value) VALUES (1, 1)
     ON CONFLICT (id) DO UPDATE SET value = ${table}.value + 1
     RETURNING value`,
  );
  if (raised === undefined) throw new Error(`The revision in ${table} could not be raised.`);
  return BigInt(raised.value);
}

/** The revision from which `load` reads all rows. Rows from before the first change carry 0. */
export const BEFORE_ALL = -1n;

/**
 * Returns a function that calls `load` if the revision has changed. `load` reads the rows with a revision above
 * `since`. If that is BEFORE_ALL, they replace all loaded rows.
 */
export function createUpdate(
  readRevision: () => Promise<bigint>,
  load: (since: bigint) => Promise<void>,
): () => Promise<void> {
  let loaded = BEFORE_ALL;
  return async () => {
    const latest = await readRevision();
    if (latest === loaded) return;
    // A database restored from a backup has lost revisions, so what is in memory may be wrong.
    await load(latest < loaded ? BEFORE_ALL : loaded);
    loaded = latest;
  };
}

export interface Follower extends Pick<Repetition, "getSilenceMs"> {
  /** Resolves once everything committed before this call is loaded. Concurrent calls share the work. */
  refresh(): Promise<void>;
  /** Updates once, then regularly. Rejects if the first update fails. */
  start(): Promise<void>;
  stop(): void;
}

/** Keeps the loaded rows of this process up to date with the database. */
export function follow(update: () => Promise<void>, options: Parameters<typeof repeat>[1]): Follower {
  const refresh = shareRuns(update);
  const polling = repeat(refresh, options);
  return {
    refresh,
    async start() {
      await refresh();
      polling.start();
    },
    stop: polling.stop,
    getSilenceMs: polling.getSilenceMs,
  };
}
