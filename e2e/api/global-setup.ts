import type { TestProject } from "vitest/node";
import { withAccess } from "@/e2e/support/access";
import { type Place, WITHOUT_PAGES } from "@/e2e/support/spotline";
import { startTestServer } from "@/e2e/support/test-server";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { NewKey } from "@/lib/access/keys/keys";
import type { PlanName } from "@/lib/access/plans";

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

type Keys = Readonly<Record<KeyName, string>>;

declare module "vitest" {
  interface ProvidedContext {
    server: { readonly url: string; readonly keys: Keys; readonly place: Place };
  }
}

/** The origin whose pages may call the server. */
export const ALLOWED_ORIGIN = "https://app.example.com";

const PASSWORD = "correct horse battery";

/** Starts the built server once, for all files of the suite together. The pages are tested elsewhere. */
export default async function setup(project: TestProject): Promise<() => Promise<unknown>> {
  const { url, place, stop } = await startTestServer({
    env: { ...WITHOUT_PAGES, SPOTLINE_CORS_ORIGINS: ALLOWED_ORIGIN },
  });
  try {
    project.provide("server", { url, keys: await createKeys(place), place });
    return stop;
  } catch (error) {
    await stop();
    throw error;
  }
}

function createKeys(place: Place): Promise<Keys> {
  return withAccess(place, async ({ accounts, keys }) => {
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
    return Object.fromEntries(secrets) as Keys;
  });
}
