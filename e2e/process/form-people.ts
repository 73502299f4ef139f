import { createFormClient, type FormClient } from "@/e2e/support/form-client";
import { startTestServer } from "@/e2e/support/test-server";
import { createAccounts } from "@/lib/access/accounts/accounts";
import { cheapPasswords } from "@/lib/access/testing/test-accounts";
import { joinDatabase } from "@/lib/platform/database/database";
import { silentLog } from "@/lib/platform/log/log";
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
  const spotline = await startTestServer();
  const database = await joinDatabase({ databaseUrl: undefined, dataDir: spotline.dataDir, log: silentLog });
  const accounts = createAccounts(database, { now: systemClock, passwords: cheapPasswords });
  let count = 0;

  async function signIn(email: string, password = PASSWORD): Promise<FormClient> {
    // By name, because browsers allow no passkeys at a network address.
    const browser = createFormClient(spotline.url.replace("127.0.0.1", "localhost"));
    const { location } = await browser.submit("/sign-in", /Sign in/, { email, password });
    if (location !== "/quotes") throw new Error(`${email} could not sign in.`);
    return browser;
  }

  async function createMember(): Promise<Person> {
    count += 1;
    const email = `person-${count}@example.com`;
    const { id } = await accounts.create({ email, password: PASSWORD });
    return { id, email, browser: await signIn(email) };
  }

  // The first account of an installation is its operator's.
  const operator = await createMember();
  return {
    spotline,
    database,
    operator,
    signIn,
    createMember,
    findEvents: (accountId: string, event: string) =>
      database.prisma.auditEvent.findMany({ where: { accountId, event } }),
    async close(): Promise<void> {
      await database.close();
      await spotline.stop();
    },
  };
}
