import { listProviders } from "@/features/sign-in/providers";
import type { Account } from "@/lib/access/accounts/account";
import { getRuntime } from "@/lib/runtime";

/** The identity providers linked to an account without a password; null for an account with one. */
export async function readLinkedProviders({ id, hasPassword }: Account) {
  if (hasPassword) return null;
  const { config, identities } = await getRuntime();
  const linked = await identities.list(id);
  return listProviders(config.providers).filter((name) => linked.some(({ provider }) => provider === name.id));
}
