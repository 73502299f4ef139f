import { type Access, withAccess } from "@/e2e/support/access";
import { startTestSession } from "@/e2e/support/sessions";
import type { Spotline } from "@/e2e/support/spotline";
import type { CreatedKey } from "@/lib/access/keys/keys";

/** Does something with an account of a running server that no journey is about. */
export function withAccount<Result>(
  { place }: Pick<Spotline, "place">,
  email: string,
  work: (access: Access, id: string) => Promise<Result>,
): Promise<Result> {
  return withAccess(place, async (access) => {
    const account = await access.accounts.findByEmail(email);
    if (account === null) throw new Error(`There is no account ${email}.`);
    return work(access, account.id);
  });
}

/** Creates a key that may call everything. */
export function createKey(spotline: Spotline, email: string, label: string): Promise<CreatedKey> {
  return withAccount(spotline, email, ({ keys }, accountId) => keys.create({ accountId, label, scopes: ["all"] }));
}

/** Signs an account in once more. Returns the value of the session's cookie. */
export function addSession(spotline: Pick<Spotline, "place">, email: string): Promise<string> {
  return withAccount(spotline, email, ({ database }, id) => startTestSession(database, id));
}
