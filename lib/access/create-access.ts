import { createOverview } from "@/lib/access/accounts/account-search";
import { createAccountStatus } from "@/lib/access/accounts/account-status";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createCredentials } from "@/lib/access/accounts/credentials";
import { createIdentities } from "@/lib/access/accounts/identities";
import { createPasswordReset } from "@/lib/access/accounts/password-reset";
import { createPlanRequests } from "@/lib/access/accounts/plan-requests";
import { createInvitations, deriveSetupCode, type SignUpMode } from "@/lib/access/accounts/registration";
import type { Directory } from "@/lib/access/admission/directory";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createDrawings } from "@/lib/access/drawings";
import { createImportControl } from "@/lib/access/import-control";
import { createIngestTokens } from "@/lib/access/ingest-tokens";
import { createInstrumentControl } from "@/lib/access/instrument-control";
import { createKeyLayouts } from "@/lib/access/keys/key-layouts";
import { createKeys } from "@/lib/access/keys/keys";
import { createLinks } from "@/lib/access/links";
import { createNotices } from "@/lib/access/notices/notices";
import { createQuoteLists } from "@/lib/access/quote-lists";
import type { Refreshable } from "@/lib/access/revision";
import { createScreens } from "@/lib/access/screens/screens";
import { createAccountSessions } from "@/lib/access/sign-in/account-sessions";
import { createPasskeys } from "@/lib/access/sign-in/passkeys";
import { createSecondFactors } from "@/lib/access/sign-in/second-factor";
import { createChangeLimits, RefusedSignIns } from "@/lib/access/sign-in/sign-in-limits";
import { createFormTickets, createOperatorTickets } from "@/lib/access/sign-in/tickets";
import { TrustedReads } from "@/lib/access/sign-in/trusted-reads";
import { createSourceControl } from "@/lib/access/source-control";
import type { Database } from "@/lib/platform/database/database";
import type { Logger } from "@/lib/platform/log/log";
import type { Clock } from "@/lib/platform/timing/clock";

interface Options {
  readonly now: Clock;
  readonly directory: Refreshable & Pick<Directory, "revision">;
  /** Seals cookies, tickets and the secrets of second factors. */
  readonly sessionSecret: string;
  readonly signUp: SignUpMode;
  /** The longest life of new keys; null for ten years. */
  readonly maxKeyLifetimeDays: number | null;
  /** The paths of the API that a key can be limited to. */
  readonly keyPaths: readonly string[];
  readonly log: Logger;
}

/** The services on accounts and keys that use the database. */
export function createAccess(database: Database, options: Options) {
  const { now, directory, sessionSecret, signUp, maxKeyLifetimeDays, keyPaths, log } = options;
  const setupCode = deriveSetupCode(sessionSecret);
  const refusedSignIns = new RefusedSignIns({ log, now });
  const onRefused = refusedSignIns.report.bind(refusedSignIns);
  const credentials = createCredentials(database, { now, directory, log, onRefused });
  const { setPassword } = credentials;
  return {
    sessionSecret,
    setupCode,
    refusedSignIns,
    accountSessions: createAccountSessions(database, { now }),
    trustedReads: new TrustedReads(database, { now, directory }),
    accounts: createAccounts(database, { now, directory, signUp, setupCode }),
    accountStatus: createAccountStatus(database, { now, directory }),
    credentials,
    passwordReset: createPasswordReset(database, { now, secret: sessionSecret, setPassword, log }),
    identities: createIdentities(database, { now }),
    changeLimits: createChangeLimits(database, { now }),
    formTickets: createFormTickets(database, { now, secret: sessionSecret }),
    operatorTickets: createOperatorTickets(sessionSecret, now),
    passkeys: createPasskeys(database, { now, secret: sessionSecret, log, onRefused }),
    secondFactors: createSecondFactors(database, { now, secret: sessionSecret, onRefused }),
    keys: createKeys(database, {
      now,
      directory,
      maxLifetimeDays: maxKeyLifetimeDays,
      listPaths: () => keyPaths,
    }),
    links: createLinks(database, { now, directory }),
    layouts: createKeyLayouts(database.pool, { now }),
    quoteLists: createQuoteLists(database.pool, { now }),
    drawings: createDrawings(database.pool, { now }),
    screens: createScreens(database.pool, { now }),
    notices: createNotices(database.pool, { now }),
    audit: createAuditLog(database),
    planRequests: createPlanRequests(database, { now, directory }),
    invitations: createInvitations(database, { now }),
    overview: createOverview(database, { now }),
    sourceControl: createSourceControl(database, { now }),
    instrumentControl: createInstrumentControl(database, { now }),
    importControl: createImportControl(database, { now }),
    ingestTokens: createIngestTokens(database, { now }),
  };
}
