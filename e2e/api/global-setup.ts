import type { TestProject } from "vitest/node";
import { withAccess } from "@/e2e/support/access";
import { createFilledDatabase } from "@/e2e/support/prepared-past";
import { HOST_COMMANDS } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { NewKey } from "@/lib/access/keys/keys";
import type { PlanName } from "@/lib/access/plans";

/** A server under test: its address, and keys of every kind. */
export interface ServerUnderTest {
  readonly name: string;
  readonly url: string;
  readonly keys: Readonly<Record<KeyName, string>>;
  /** The environment in which an operator's command finds the server's database. */
  readonly env: Readonly<Record<string, string>> & { readonly SPOTLINE_DATA_DIR: string };
}

type KeyName = keyof typeof ownersKeys | "revoked" | (typeof planKeys)[number];
const ownersKeys = {
  full: {},
  indicatorsOnly: { scopes: ["indicators"] },
  hereOnly: { addresses: ["127.0.0.0/8"] },
  elsewhereOnly: { addresses: ["203.0.113.0/24", "2001:db8::/32"] },
  tool: { kind: "tool" },
  rationed: { kind: "tool" },
  crowded: { kind: "tool" },
  spent: { kind: "tool" },
} as const satisfies Record<string, Partial<NewKey>>;
/** Keys of accounts on smaller plans. */
const planKeys = ["free", "payg", "starter"] as const;

declare module "vitest" {
  interface ProvidedContext {
    servers: ServerUnderTest[];
  }
}

/** The origin whose pages may call the servers. */
export const ALLOWED_ORIGIN = "https://app.example.com";

const PASSWORD = "correct horse battery";

/**
 * Starts the built servers once, for all files of the suite together: our own host on each database, and Next's route
 * handlers on one, because the same code reads the database there.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const undo: (() => Promise<unknown>)[] = [];
  const teardown = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const wanted: { name: string; host: keyof typeof HOST_COMMANDS; env: Record<string, string> }[] = [
      { name: "node host, embedded database", host: "node", env: {} },
    ];
    for (const host of ["node", "next"] as const) {
      const database = await createFilledDatabase();
      if (database !== null) {
        undo.push(database.drop);
        wanted.push({ name: `${host} host, PostgreSQL`, host, env: { DATABASE_URL: database.url } });
      } else if (host === "next") {
        console.warn("SKIPPED: no PostgreSQL is reachable, so the API is tested on the embedded database only");
        wanted.push({ name: "next host, embedded database", host, env: {} });
      }
    }
    const servers = await Promise.all(
      wanted.map(async ({ name, host, env }) => {
        const spotline = await startTestServer(
          { env: { ...env, SPOTLINE_CORS_ORIGINS: ALLOWED_ORIGIN }, command: HOST_COMMANDS[host] },
          "embedded",
        );
        undo.push(spotline.stop);
        const { url, place } = spotline;
        return { name, url, keys: await createServerKeys(place), env: place };
      }),
    );
    project.provide("servers", servers);
    return teardown;
  } catch (error) {
    await teardown();
    throw error;
  }
}

function createServerKeys(env: ServerUnderTest["env"]): Promise<Record<KeyName, string>> {
  return withAccess(env, async ({ accounts, keys }) => {
    const open = (name: string, plan: PlanName) =>
      accounts.create({ email: `${name}@example.com`, password: PASSWORD, plan }, OPERATOR_CLI);
    const mint = (accountId: string, label: string, rest: Partial<NewKey> = {}) =>
      keys.create({ accountId, label, scopes: ["all"], ...rest });
    const secrets = new Map<string, string>();
    const { id } = await open("owner", "enterprise");
    for (const [label, rest] of Object.entries(ownersKeys)) secrets.set(label, (await mint(id, label, rest)).secret);
    const revoked = await mint(id, "revoked");
    await keys.revoke(revoked.id, OPERATOR_CLI);
    secrets.set("revoked", revoked.secret);
    for (const plan of planKeys) secrets.set(plan, (await mint((await open(plan, plan)).id, plan)).secret);
    return Object.fromEntries(secrets) as Record<KeyName, string>;
  });
}
