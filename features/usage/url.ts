import { USAGE_PERIODS, type UsagePeriod } from "@/lib/access/usage/usage-report";

type Params = Readonly<Record<string, string | string[] | undefined>>;

const DEFAULT_PERIOD: UsagePeriod = "24h";

/** Reads an address. Unknown periods and endpoints are ignored. The caller must check the owner of the key. */
export function readUsageView(params: Params, paths: readonly string[]): UsageView {
  const period = USAGE_PERIODS.find((each) => each === params.period) ?? DEFAULT_PERIOD;
  const keyId = typeof params.key === "string" && params.key !== "" ? params.key : null;
  const endpoint = paths.find((path) => path === params.endpoint) ?? null;
  return { period, keyId, endpoint };
}

/** The address of a view, without its defaults. */
export function toUsageHref({ period, keyId, endpoint }: UsageView, base = "/usage"): string {
  const params = new URLSearchParams();
  if (period !== DEFAULT_PERIOD) params.set("period", period);
  if (keyId !== null) params.set("key", keyId);
  if (endpoint !== null) params.set("endpoint", endpoint);
  const search = params.toString().replaceAll("%2F", "/");
  return search === "" ? base : `${base}?${search}`;
}

/** The view in the usage page's address. Null means all. */
export interface UsageView {
  readonly period: UsagePeriod;
  readonly keyId: string | null;
  readonly endpoint: string | null;
}
