import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";
import type { PlanName } from "@/lib/access/plans";

/** The only account and key of a server. */

export const EMAIL = "owner@example.com";
export const PASSWORD = "correct horse battery";

export async function createKey(server: Spotline, plan: PlanName = "pro"): Promise<string> {
  return withAccess(server.place, async ({ accounts, keys }) => {
    const { id: accountId } = await accounts.create({ email: EMAIL, password: PASSWORD, plan });
    const { secret } = await keys.create({ accountId, label: "test", scopes: ["all"] });
    return secret;
  });
}
