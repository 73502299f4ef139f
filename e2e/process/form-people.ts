import { joinServer } from "@/e2e/support/access";
import { simulateFewPrices } from "@/e2e/support/few-prices";
import { createFormClient, type FormClient } from "@/e2e/support/form-client";
import { SESSION_COOKIE, startTestSession } from "@/e2e/support/sessions";
import { startTestServer } from "@/e2e/support/test-server";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { createKeys } from "@/lib/access/keys/keys";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import { systemClock } from "@/lib/platform/timing/clock";

/** A server with an operator and members, each with a browser without scripts. */

export const PASSWORD = "correct horse battery";

export interface Person {
  readonly id: string;
  readonly email: string;
  readonly browser: FormClient;
}

export type People = Awaited<ReturnType<typeof openPeople>>;

export async function openPeople() {
  const spotline = await startTestServer({ env: simulateFewPrices() });
  const database = await joinServer(spotline.place);
  const accounts = createAccounts(database, { now: systemClock, passwords: cheapPasswords });
  const keys = createKeys(database, { now: systemClock });
  // By name, because browsers allow no passkeys at a network address.
  const url = spotline.url.replace("127.0.0.1", "localhost");
  let count = 0;

  async function signIn(email: string, password = PASSWORD): Promise<FormClient> {
    const browser = createFormClient(url);
    const { location } = await browser.submit("/sign-in", /Sign in/, { email, password });
    if (location !== "/overview") throw new Error(`${email} could not sign in.`);
    return browser;
  }

  /** A browser with a new session. */
  async function openSession(accountId: string): Promise<FormClient> {
    return createFormClient(url, undefined, { [SESSION_COOKIE]: await startTestSession(database, accountId) });
  }

  async function createMember(): Promise<Person> {
    count += 1;
    const email = `person-${count}@example.com`;
    const { id } = await accounts.create({ email, password: PASSWORD });
    return { id, email, browser: await openSession(id) };
  }

  // The first account of an installation is its operator's.
  const operator = await createMember();
  return {
    spotline,
    database,
    operator,
    signIn,
    openSession,
    createMember,
    /** Creates a key of an account. Returns its id. */
    createKey: async (accountId: string) => (await keys.create({ accountId, label: "A key", scopes: ["all"] })).id,
    findEvents: (accountId: string, event: string) =>
      database.prisma.auditEvent.findMany({ where: { accountId, event } }),
    async close(): Promise<void> {
      await database.close();
      await spotline.stop();
    },
  };
}
