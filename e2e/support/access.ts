import type { Place } from "@/e2e/support/spotline";
import { type AccountStatus, createAccountStatus } from "@/lib/access/accounts/account-status";
import { type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { createIngestTokens, type IngestTokens } from "@/lib/access/ingest-tokens";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { createLinks, type Links } from "@/lib/access/links";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import { type Database, joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { systemClock } from "@/lib/platform/timing/clock";

/** Opens the database of a running server. */
export function joinServer({ DATABASE_URL: databaseUrl, SPOTLINE_DATA_DIR: dataDir }: Place): Promise<Database> {
  return joinDatabase({ databaseUrl, dataDir, log: silentLog });
}

export interface Access {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly accountStatus: AccountStatus;
  readonly keys: Keys;
  readonly links: Links;
  readonly ingestTokens: IngestTokens;
}

/**
 * Creates and changes accounts, keys and tokens of terminals in the database of a running server, which loads them
 * within a second. The operator's commands do the same, but each needs a process, which computes for a second.
 */
export async function withAccess<Result>(server: Place, work: (access: Access) => Promise<Result>): Promise<Result> {
  const database = await joinServer(server);
  try {
    return await work(createTestAccess(database));
  } finally {
    await database.close();
  }
}

/** The same over a database that is open already: opening it takes longer than most work. */
export function createTestAccess(database: Database): Access {
  return {
    database,
    accounts: createAccounts(database, { now: systemClock, passwords: cheapPasswords }),
    accountStatus: createAccountStatus(database, { now: systemClock }),
    keys: createKeys(database, { now: systemClock }),
    links: createLinks(database, { now: systemClock }),
    ingestTokens: createIngestTokens(database, { now: systemClock }),
  };
}
