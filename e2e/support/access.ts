import { type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { createIngestTokens, type IngestTokens } from "@/lib/access/ingest-tokens";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { systemClock } from "@/lib/platform/timing/clock";

/**
 * Creates accounts, keys and tokens of terminals in the database of a running server, which loads them within a second. The operator's
 * commands do the same, but each needs a process.
 */
export async function withAccess<Result>(
  server: { readonly DATABASE_URL?: string; readonly SPOTLINE_DATA_DIR: string },
  work: (access: { accounts: Accounts; keys: Keys; ingestTokens: IngestTokens }) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL: databaseUrl, SPOTLINE_DATA_DIR: dataDir } = server;
  const database = await joinDatabase({ databaseUrl, dataDir, log: silentLog });
  try {
    return await work({
      accounts: createAccounts(database, { now: systemClock, passwords: cheapPasswords }),
      keys: createKeys(database, { now: systemClock }),
      ingestTokens: createIngestTokens(database, { now: systemClock }),
    });
  } finally {
    await database.close();
  }
}
