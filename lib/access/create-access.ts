import { createAccountSessions } from "@/lib/access/account-sessions";
import { createAccounts } from "@/lib/access/accounts";
import { createAuditLog } from "@/lib/access/audit";
import { createIdentities } from "@/lib/access/identities";
import { createInvitations } from "@/lib/access/invitations";
import { createFormTickets } from "@/lib/access/form-tickets";
import { createKeyLayouts } from "@/lib/access/key-layouts";
import { createKeys } from "@/lib/access/keys";
import { createNotices } from "@/lib/access/notices";
import { createOperatorTickets } from "@/lib/access/operator-tickets";
import { createOverview } from "@/lib/access/overview";
import type { Onlooker } from "@/lib/access/revision";
import { createSecondFactors } from "@/lib/access/second-factor";
import type { SignUpMode } from "@/lib/access/sign-up";
import type { Clock } from "@/lib/platform/clock";
import type { Database } from "@/lib/platform/database";

interface Options {
  readonly now: Clock;
  readonly directory: Onlooker;
  /** Signs sessions, and is what secrets that must be read again are sealed under. */
  readonly sessionSecret: string;
  readonly signUp: SignUpMode;
}

/** Everything about accounts and keys that is asked of the database. */
export function createAccess(database: Database, { now, directory, sessionSecret, signUp }: Options) {
  return {
    sessionSecret,
    accountSessions: createAccountSessions(database, { now }),
    accounts: createAccounts(database, { now, directory, signUp }),
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
