import type { TestProject } from "vitest/node";
import { createDatabase } from "@/e2e/support/postgres";
import { startSpotline, type Spotline } from "@/e2e/support/spotline";

/** What a test knows of a server: where it is, and keys of every kind it may want to try. */
export interface ServerUnderTest {
  readonly name: string;
  readonly url: string;
  readonly keys: Readonly<Record<KeyName, string>>;
  /** What an operator's command needs to find this server's database. */
  readonly env: Readonly<Record<string, string>>;
}

type KeyName =
  "full" | "indicatorsOnly" | "hereOnly" | "elsewhereOnly" | "revoked" | "tool" | "rationed" | "crowded" | PlanKeyName;
/** Keys of accounts on the plans that open less. */
type PlanKeyName = (typeof planKeys)[number];
const planKeys = ["free", "payg", "starter"] as const;

declare module "vitest" {
  interface ProvidedContext {
    servers: ServerUnderTest[];
  }
}

const PASSWORD = "correct horse battery";

/** Starts the built server once for each pair of host and database, for all files of the suite together. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const undo: (() => Promise<unknown>)[] = [];
  const teardown = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const databases: { name: string; env: Record<string, string> }[] = [];
    for (const host of ["node", "next"])
      databases.push({ name: `${host} host, embedded database`, env: { SPOTLINE_V1_HOST: host } });
    for (const host of ["node", "next"]) {
      const database = await createDatabase();
      if (database === null) {
        console.warn(`SKIPPED: no PostgreSQL answers, so the ${host} host is tested on the embedded database only`);
        continue;
      }
      undo.push(database.drop);
      databases.push({ name: `${host} host, PostgreSQL`, env: { SPOTLINE_V1_HOST: host, DATABASE_URL: database.url } });
    }
    const servers = await Promise.all(
      databases.map(async ({ name, env }) => {
        const spotline = await startSpotline({ env });
        undo.push(spotline.stop);
        return {
          name,
          url: spotline.url,
          keys: await createKeys(spotline),
          env: { ...env, SPOTLINE_DATA_DIR: spotline.dataDir },
        };
      }),
    );
    project.provide("servers", servers);
    return teardown;
  } catch (error) {
    await teardown();
    throw error;
  }
}

async function createKeys({ cli }: Spotline): Promise<Record<KeyName, string>> {
  const email = "owner@example.com";
  await cli("account", "create", "--email", email, "--password", PASSWORD, "--plan", "enterprise");
  const create = async (label: string, ...options: string[]) =>
    cli<{ id: string; key: string }>("key", "create", "--account", email, "--label", label, ...options);
  const revoked = await create("revoked");
  await cli("key", "revoke", "--id", revoked.id);
  return {
    full: (await create("full")).key,
    indicatorsOnly: (await create("indicators only", "--scopes", "indicators")).key,
    hereOnly: (await create("here only", "--ips", "127.0.0.0/8")).key,
    elsewhereOnly: (await create("elsewhere only", "--ips", "203.0.113.0/24,2001:db8::/32")).key,
    tool: (await create("tool", "--kind", "tool")).key,
    rationed: (await create("rationed", "--kind", "tool")).key,
    crowded: (await create("crowded", "--kind", "tool")).key,
    revoked: revoked.key,
    ...(await createPlanKeys(cli)),
  };
}

async function createPlanKeys(cli: Spotline["cli"]): Promise<Record<PlanKeyName, string>> {
  const keys: Partial<Record<PlanKeyName, string>> = {};
  for (const plan of planKeys) {
    const email = `${plan}@example.com`;
    await cli("account", "create", "--email", email, "--password", PASSWORD, "--plan", plan);
    keys[plan] = (await cli<{ key: string }>("key", "create", "--account", email, "--label", plan)).key;
  }
  return keys as Record<PlanKeyName, string>;
}
