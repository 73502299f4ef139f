import { AccessError } from "@/lib/access/access-error";
import { createOverview, type Overview } from "@/lib/access/accounts/account-search";
import { type AccountStatus, createAccountStatus } from "@/lib/access/accounts/account-status";
import { type Account, type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials, type Credentials } from "@/lib/access/accounts/credentials";
import { createInvitations, type Invitations } from "@/lib/access/accounts/registration";
import { type AuditLog, createAuditLog } from "@/lib/access/audit/audit-log";
import { createImportControl, type ImportControl } from "@/lib/access/import-control";
import { createIngestTokens, type IngestTokens } from "@/lib/access/ingest-tokens";
import { createInstrumentControl, type InstrumentControl } from "@/lib/access/instrument-control";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { type AccountSessions, createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { removePasskeys } from "@/lib/access/sign-in/passkeys";
import { resetSecondFactor } from "@/lib/access/sign-in/second-factor";
import { createSourceControl, type SourceControl } from "@/lib/access/source-control";
import { loadCatalog } from "@/lib/feeds/instrument-store";
import { loadConfig } from "@/lib/platform/config";
import { type Database, joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
import { systemClock } from "@/lib/platform/timing/clock";

/** The services of the commands, on the server's own database. */
export interface Access {
  readonly accounts: Accounts;
  readonly accountStatus: AccountStatus;
  readonly credentials: Credentials;
  readonly accountSessions: AccountSessions;
  readonly keys: Keys;
  readonly audit: AuditLog;
  /** Turns an account's second factor off. */
  resetSecondFactor(accountId: string): Promise<void>;
  /** Removes an account's passkeys. Resolves with their number. */
  removePasskeys(accountId: string): Promise<number>;
  readonly invitations: Invitations;
  readonly overview: Overview;
  readonly sourceControl: SourceControl;
  readonly instrumentControl: InstrumentControl;
  readonly importControl: ImportControl;
  readonly ingestTokens: IngestTokens;
  /** Finds the account of an e-mail address. Rejects with the AccessError "account_not_found" if there is none. */
  findAccount(email: string): Promise<Account>;
}

/** Opens the configured database and loads its instruments. A server may be running on it. */
export async function connectDatabase(): Promise<Database> {
  const { databaseUrl, dataDir, sessionSecret: secret } = loadConfig(process.env);
  const database = await joinDatabase({ databaseUrl, dataDir, secret, log: silentLog });
  try {
    await loadCatalog(database.pool);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

export function createServices(database: Database): Access {
  // A running server reads changes from the database within a second.
  const accounts = createAccounts(database, { now: systemClock });
  return {
    accounts,
    accountStatus: createAccountStatus(database, { now: systemClock }),
    credentials: createCredentials(database, { now: systemClock }),
    accountSessions: createAccountSessions(database, { now: systemClock }),
    keys: createKeys(database, {
      now: systemClock,
      maxLifetimeDays: loadConfig(process.env).maxKeyLifetimeDays,
      // The API takes time to load, and few commands need it.
      listPaths: async () => (await import("@/lib/api/registry")).keyPaths,
    }),
    audit: createAuditLog(database),
    invitations: createInvitations(database, { now: systemClock }),
    overview: createOverview(database, { now: systemClock }),
    sourceControl: createSourceControl(database, { now: systemClock }),
    instrumentControl: createInstrumentControl(database, { now: systemClock }),
    importControl: createImportControl(database, { now: systemClock }),
    ingestTokens: createIngestTokens(database, { now: systemClock }),
    resetSecondFactor: (accountId) => resetSecondFactor(database, accountId, systemClock()),
    removePasskeys: (accountId) => removePasskeys(database, accountId, systemClock()),
    async findAccount(email) {
      const account = await accounts.findByEmail(email);
      if (account === null)
        throw new AccessError("account_not_found", `There is no account with the address ${email}.`);
      return account;
    },
  };
}
