import type { Owner } from "@/lib/access/actor";
import { createAuditLog } from "@/lib/access/audit/audit-log";
import { createPasskeys } from "@/lib/access/sign-in/passkeys";
import type { RefusedSignIn } from "@/lib/access/sign-in/sign-in-limits";
import { createSoftwareAuthenticator } from "@/lib/access/testing/software-authenticator";
import { someAccount } from "@/lib/access/testing/test-accounts";
import type { Database } from "@/lib/platform/database/database";
import { MINUTE_MS } from "@/lib/time/units";

/** An account with its browser and its authenticators, for tests of passkeys. */

export const SITE = { host: "prices.example.com", origin: "https://prices.example.com" };
export const ADDRESS = "203.0.113.7";
export const [SESSION, BROWSER] = ["a session", "a browser"];
export const SECRET = "one session secret of more than 32 characters";

type Authenticator = ReturnType<typeof createSoftwareAuthenticator>;
export type Behaviour = NonNullable<Parameters<Authenticator["use"]>[1]>;
export function createPasskeyScene(db: Database, onRefused: (refused: RefusedSignIn) => void = () => {}) {
  const now = (): number => scene.nowMs;
  const open = (secret = SECRET) => createPasskeys(db, { now, secret, onRefused });
  const passkeys = open();

  const begin = (name = "Phone") => {
    const request = { site: SITE, email: "a@b.example", name, session: SESSION };
    return passkeys.beginAdding(request, scene.owner);
  };

  const scene = {
    nowMs: Date.UTC(2026, 0, 15),
    accountId: "",
    owner: { kind: "owner", accountId: "", address: ADDRESS, confirmed: true } as Owner,
    passkeys,
    /** Another process. */
    open,
    begin,

    /** Continues with a new account, an hour later. */
    async becomeSomeone(): Promise<void> {
      scene.nowMs += 60 * MINUTE_MS;
      scene.accountId = (await someAccount(db)).id;
      scene.owner = { kind: "owner", accountId: scene.accountId, address: ADDRESS, confirmed: true };
    },

    /** Adds a passkey to the account. Returns its authenticator. */
    async add(behaviour: Behaviour = {}, name = "Phone"): Promise<Authenticator> {
      const authenticator = createSoftwareAuthenticator(SITE);
      const { options, ticket } = await begin(name);
      const response = authenticator.create(options, behaviour);
      await passkeys.add({ site: SITE, ticket, response, boundTo: SESSION, name }, scene.owner);
      return authenticator;
    },

    async signIn(authenticator: Authenticator, behaviour: Behaviour = {}): Promise<string> {
      const { options, ticket } = await passkeys.beginSignIn(SITE, BROWSER);
      const response = authenticator.use(options, behaviour);
      return passkeys.signIn({ site: SITE, ticket, response, boundTo: BROWSER, address: ADDRESS });
    },

    async confirm(authenticator: Authenticator, behaviour: Behaviour = {}): Promise<void> {
      const { options, ticket } = await passkeys.beginConfirmation(SITE, scene.accountId, SESSION);
      const response = authenticator.use(options, behaviour);
      await passkeys.confirm({ site: SITE, ticket, response, boundTo: SESSION, address: ADDRESS }, scene.accountId);
    },

    /** The names of the account's events, oldest first. */
    async listEvents(): Promise<string[]> {
      const events = await createAuditLog(db).list({ accountId: scene.accountId, limit: 100 });
      return events.map(({ event }) => event).reverse();
    },

    findId: async () => (await passkeys.list(scene.accountId))[0]?.id ?? "",
  };
  return scene;
}
