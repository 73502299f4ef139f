import { type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import { systemClock } from "@/lib/platform/clock";
import { joinDatabase } from "@/lib/platform/database";
import { silentLog } from "@/lib/platform/log";

/**
 * Makes accounts and keys in a running server's database, which hears of them within a second. As the operator's commands
 * do, but without a process for each.
 */
export async function withAccess<Result>(
  server: { readonly DATABASE_URL?: string; readonly SPOTLINE_DATA_DIR: string },
  work: (access: { accounts: Accounts; keys: Keys }) => Promise<Result>,
): Promise<Result> {
  const { DATABASE_URL: databaseUrl, SPOTLINE_DATA_DIR: dataDir } = server;
  const database = await joinDatabase({ databaseUrl, dataDir, log: silentLog });
  try {
    return await work({
      accounts: createAccounts(database, { now: systemClock, passwords: cheapPasswords }),
      keys: createKeys(database, { now: systemClock }),
    });
  } finally {
    await database.close();
  }
}
