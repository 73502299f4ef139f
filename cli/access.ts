import { UsageError } from "@/cli/command";
import { AccessError } from "@/lib/access/access-error";
import { type Account, type Accounts, createAccounts } from "@/lib/access/accounts/accounts";
import { createInvitations, type Invitations } from "@/lib/access/accounts/invitations";
import { createOverview, type Overview } from "@/lib/access/accounts/overview";
import { type AuditLog, createAuditLog } from "@/lib/access/audit/audit";
import { createKeys, type Keys } from "@/lib/access/keys/keys";
import { type AccountSessions, createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { resetSecondFactor } from "@/lib/access/sign-in/second-factor";
import { systemClock } from "@/lib/platform/clock";
import { loadConfig } from "@/lib/platform/config";
import { type Database, joinDatabase } from "@/lib/platform/database";
import { silentLog } from "@/lib/platform/log";
import { parseDay } from "@/lib/time/iso-time";

/** The services the commands work with, over the server's own database. */
export interface Access {
  readonly accounts: Accounts;
  readonly accountSessions: AccountSessions;
  readonly keys: Keys;
  readonly audit: AuditLog;
  /** Turns an account's second factor off. */
  resetSecondFactor(accountId: string): Promise<void>;
  readonly invitations: Invitations;
  readonly overview: Overview;
  /** The account with this address. */
  accountOf(email: string): Promise<Account>;
}

/** Opens the database, whether a server is running on it or not, for as long as `work` takes. */
export async function withDatabase<Result>(work: (database: Database) => Promise<Result>): Promise<Result> {
  const { databaseUrl, dataDir } = loadConfig(process.env);
  const database = await joinDatabase({ databaseUrl, dataDir, log: silentLog });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** The same with the services that the commands on accounts and keys work with. */
export async function withAccess<Result>(work: (access: Access) => Promise<Result>): Promise<Result> {
  return withDatabase((database) => {
    // A running server learns of changes from the database, within a second.
    const accounts = createAccounts(database, { now: systemClock });
    const accountSessions = createAccountSessions(database, { now: systemClock });
    const keys = createKeys(database, { now: systemClock });
    const audit = createAuditLog(database);
    const invitations = createInvitations(database, { now: systemClock });
    const overview = createOverview(database, { now: systemClock });
    const accountOf = async (email: string) => {
      const account = await accounts.findByEmail(email);
      if (account === null)
        throw new AccessError("account_not_found", `There is no account with the address ${email}.`);
      return account;
    };
    const reset = (accountId: string) => resetSecondFactor(database, accountId, systemClock());
    const services = { accounts, accountSessions, keys, audit, invitations, overview };
    return work({ ...services, accountOf, resetSecondFactor: reset });
  });
}

/** Words separated by commas, without the blanks around them. */
export function wordsIn(text: string): string[] {
  return text.split(",").map((word) => word.trim());
}

/** An ISO 8601 moment, UTC where it names no offset, as UTC milliseconds. */
export function momentIn(option: string, text: string): number {
  const match = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?)?(Z|[+-]\d{2}:\d{2})?$/.exec(text);
  const [, date = "", time = "T00:00", , , zone = "Z"] = match ?? [];
  const atMs = Date.parse(date + time + zone);
  // Date.parse rolls a day that does not exist over into the next month.
  if (match === null || Number.isNaN(atMs) || parseDay(date) === null) {
    throw new UsageError(`--${option} must be a date and time like 2027-01-31T00:00Z.`);
  }
  return atMs;
}

export function isoOf(atMs: number | null): string | null {
  return atMs === null ? null : new Date(atMs).toISOString();
}
