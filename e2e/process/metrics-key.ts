import { withAccess } from "@/e2e/support/access";
import type { Spotline } from "@/e2e/support/spotline";

/** The account and the key whose calls the tests of metrics count. */

export const PASSWORD = "correct horse battery";

export async function createKey(server: Spotline): Promise<string> {
  return withAccess(server.place, async ({ accounts, keys }) => {
    const { id: accountId } = await accounts.create({ email: "metrics@example.com", password: PASSWORD, plan: "pro" });
    const { secret } = await keys.create({ accountId, label: "test", scopes: ["all"] });
    return secret;
  });
}
