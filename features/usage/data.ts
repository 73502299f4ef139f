import { readUsageView, type UsageView } from "@/features/usage/url";
import type { Account } from "@/lib/access/accounts/accounts";
import type { Counters, OpenMinute } from "@/lib/access/admission/windows";
import type { Key } from "@/lib/access/keys/key";
import { getEntitlements } from "@/lib/access/plans";
import { readUsage, type UsageCounts, type UsageQuery, type UsageReport } from "@/lib/access/usage/usage-report";
import type { Runtime } from "@/lib/runtime";

/** Reads how much of its limits an account has used, from the counters that admit calls. `keys` are its keys. */
export async function readLimits(
  { counters, now }: Pick<Runtime, "counters" | "now">,
  account: Account,
  keys: readonly Key[],
): Promise<LimitsData> {
  const counted = await counters(account.id);
  const keysById = new Map(keys.map((key) => [key.id, key]));
  return {
    nowMs: now(),
    quotas: toQuotas(account, keys, counted),
    minutes: counted.minutes.flatMap((minute) => {
      const key = keysById.get(minute.keyId);
      return key === undefined ? [] : [{ ...minute, label: key.label, last4: key.last4 }];
    }),
  };
}

/** Today's quotas. Tool keys have their own, unless the operator set one for all keys. */
function toQuotas({ plan, perDayLimit }: Account, keys: readonly Key[], { days }: Counters): DayQuotaLine[] {
  if (perDayLimit !== null) return [{ name: "All keys", ...days.standard, perDay: perDayLimit }];
  const perDay = (kind: Key["kind"]) => getEntitlements(plan, kind).perDay;
  const tools = { name: "Tool keys", ...days.tool, perDay: perDay("tool") };
  const hasTools = days.tool.calls > 0 || keys.some(({ kind, state }) => kind === "tool" && state === "active");
  return [{ name: "Standard keys", ...days.standard, perDay: perDay("standard") }, ...(hasTools ? [tools] : [])];
}

/** The paths that keys can call. */
export function listKeyedPaths({ keyedEndpoints }: Pick<Runtime, "keyedEndpoints">): readonly string[] {
  return [...new Set(keyedEndpoints.map(({ path }) => path))];
}

/** Reads the calls of a period, and the names of the keys that made them. */
export async function readUsageData(
  { database, now }: Pick<Runtime, "database" | "now">,
  query: UsageQuery,
  keys: readonly Key[],
): Promise<UsageData> {
  return {
    report: await readUsage(database.pool, query, now()),
    keys: keys.map(({ id, label, last4 }) => ({ id, label, last4 })),
  };
}

type Params = Readonly<Record<string, string | string[] | undefined>>;

/** Reads the usage query of an address; null if it names a key of another account. */
export function readUsageQuery(
  runtime: Pick<Runtime, "keyedEndpoints">,
  params: Params,
  accountId: string,
  keys: readonly Key[],
): { view: UsageView; query: UsageQuery } | null {
  const view = readUsageView(params, listKeyedPaths(runtime));
  const { period, keyId, endpoint } = view;
  if (keyId !== null && keys.every(({ id }) => id !== keyId)) return null;
  return { view, query: { accountId, period, keyId: keyId ?? undefined, endpoint: endpoint ?? undefined } };
}

/** The calls of a period. */
export interface UsageData {
  readonly report: UsageReport;
  readonly keys: readonly UsageKey[];
}

export interface UsageKey {
  readonly id: string;
  readonly label: string;
  /** The last characters of the key. */
  readonly last4: string;
}

export interface UsageTableLine {
  readonly name: string;
  /** The path of a narrower view, or null. */
  readonly href: string | null;
  readonly counts: UsageCounts;
}

/** The limits of an account and their use now. */
export interface LimitsData {
  readonly nowMs: number;
  readonly quotas: readonly DayQuotaLine[];
  readonly minutes: readonly MinuteLine[];
}

export interface DayQuotaLine {
  readonly name: string;
  readonly calls: number;
  readonly credits: number;
  /** NO_LIMIT for none. */
  readonly perDay: number;
}

export interface MinuteLine extends OpenMinute {
  readonly label: string;
  /** The last characters of the key. */
  readonly last4: string;
}
