import { readUsageView, type UsageView } from "@/features/usage/url";
import type { Key } from "@/lib/access/keys/key";
import type { UsageQuery } from "@/lib/access/usage/usage-report";
import { endpoints } from "@/lib/api/registry";

/** The paths that keys call, each once. */
export const keyedPaths: readonly string[] = [
  ...new Set(endpoints.filter(({ access }) => access === "key").map(({ path }) => path)),
];

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** What an address asks for of an account's use; null where it names a key that is none of the account's. */
export function usageAsked(
  params: Params,
  accountId: string,
  keys: readonly Key[],
): { view: UsageView; query: UsageQuery } | null {
  const view = readUsageView(params, keyedPaths);
  const { period, keyId, endpoint } = view;
  if (keyId !== null && keys.every(({ id }) => id !== keyId)) return null;
  return { view, query: { accountId, period, keyId: keyId ?? undefined, endpoint: endpoint ?? undefined } };
}
