import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { NewKey } from "@/lib/access/keys/keys";
import { SECOND_MS } from "@/lib/time/units";

const PASSWORD = "correct horse battery";

/** The keys of the recorded calls: one for all answers, and one for each error. */
export type ExampleKeys = Awaited<ReturnType<typeof createExampleKeys>>;

export async function createExampleKeys({ place, cli }: Pick<Spotline, "place" | "cli">) {
  const secrets = await withAccess(place, async ({ accounts, keys }) => {
    const pro = await accounts.create({ email: "you@example.com", password: PASSWORD, plan: "pro" }, OPERATOR_CLI);
    const free = await accounts.create({ email: "free@example.com", password: PASSWORD, plan: "free" }, OPERATOR_CLI);
    const bad = await accounts.create({ email: "bad@example.com", password: PASSWORD, plan: "pro" }, OPERATOR_CLI);
    const mint = async (accountId: string, label: string, rest: Partial<NewKey> = {}) =>
      keys.create({ accountId, label, scopes: ["all"], ...rest });
    const revoked = await mint(pro.id, "revoked");
    await keys.revoke(revoked.id, OPERATOR_CLI);
    return {
      full: (await mint(pro.id, "my program", { scopes: ["all", "alerts"] })).secret,
      free: (await mint(free.id, "free", { scopes: ["all", "alerts"] })).secret,
      indicatorsOnly: (await mint(pro.id, "indicators", { scopes: ["indicators"] })).secret,
      elsewhere: (await mint(pro.id, "elsewhere", { addresses: ["203.0.113.0/24"] })).secret,
      pages: (await mint(pro.id, "pages", { origins: ["https://app.example.com"] })).secret,
      crowded: (await mint(free.id, "crowded")).secret,
      daily: (await mint(pro.id, "daily", { perDay: 1 })).secret,
      expiring: (await mint(pro.id, "expiring", { expiresAtMs: Date.now() + SECOND_MS })).secret,
      revoked: revoked.secret,
      suspended: (await mint(bad.id, "suspended")).secret,
    };
  });
  await cli("account", "suspend", "--email", "bad@example.com", "--reason", "unpaid");
  return secrets;
}
