import { withAccess } from "@/e2e/support/access";
import type { Place } from "@/e2e/support/spotline";
import { OPERATOR_CLI } from "@/lib/access/actor";
import type { NewKey } from "@/lib/access/keys/keys";
import type { PlanName } from "@/lib/access/plans";
import { SECOND_MS } from "@/lib/time/units";

const PASSWORD = "correct horse battery";

/** The keys of the recorded calls: one for all answers, and one for each error. */
export type ExampleKeys = Awaited<ReturnType<typeof createExampleKeys>>;

/** @param domain where the accounts have their addresses: each has one account */
export async function createExampleKeys(place: Place, domain = "example.com") {
  return withAccess(place, async ({ accounts, accountStatus, keys }) => {
    const open = (name: string, plan: PlanName) =>
      accounts.create({ email: `${name}@${domain}`, password: PASSWORD, plan }, OPERATOR_CLI);
    const [pro, free, bad] = [await open("you", "pro"), await open("free", "free"), await open("bad", "pro")];
    await accountStatus.setSuspended(bad.id, true, OPERATOR_CLI, "unpaid");
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
}
