import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { createIdentities } from "@/lib/access/accounts/identities";
import { createInvitations } from "@/lib/access/accounts/invitations";
import { createOverview } from "@/lib/access/accounts/overview";
import type { SignUpMode } from "@/lib/access/accounts/sign-up";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createKeyLayouts } from "@/lib/access/keys/key-layouts";
import { createKeys } from "@/lib/access/keys/keys";
import { createNotices } from "@/lib/access/notices/notices";
import type { Refreshable } from "@/lib/access/revision";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { createFormTickets } from "@/lib/access/sign-in/form-tickets";
import { createOperatorTickets } from "@/lib/access/sign-in/operator-tickets";
import { createSecondFactors } from "@/lib/access/sign-in/second-factor/second-factor";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";

interface Options {
  readonly now: Clock;
  readonly directory: Refreshable;
  /** Seals cookies, tickets and the secrets of second factors. */
  readonly sessionSecret: string;
  readonly signUp: SignUpMode;
}

/** The services on accounts and keys that use the database. */
export function createAccess(database: Database, { now, directory, sessionSecret, signUp }: Options) {
  return {
    sessionSecret,
    accountSessions: createAccountSessions(database, { now }),
    accounts: createAccounts(database, { now, directory, signUp }),
    accountStatus: createAccountStatus(database, { now, directory }),
    credentials: createCredentials(database, { now, directory }),
    identities: createIdentities(database, { now }),
    formTickets: createFormTickets(database, { now, secret: sessionSecret }),
    operatorTickets: createOperatorTickets(sessionSecret, now),
    secondFactors: createSecondFactors(database, { now, secret: sessionSecret }),
    keys: createKeys(database, { now, directory }),
    layouts: createKeyLayouts(database.pool, { now }),
    notices: createNotices(database.pool, { now }),
    audit: createAuditLog(database),
    invitations: createInvitations(database, { now }),
    overview: createOverview(database, { now }),
  };
}
