import { USAGE_PERIODS, type UsagePeriod } from "@/lib/access/usage/usage-report";

/** What the page shows, kept in its address; null is all of them. */
export interface UsageView {
  readonly period: UsagePeriod;
  readonly keyId: string | null;
  readonly endpoint: string | null;
}

type Params = Readonly<Record<string, string | string[] | undefined>>;

const USUAL_PERIOD: UsagePeriod = "24h";

/** Reads an address: a period or an endpoint that there is not is passed over. Whose the key is, the page must see to. */
export function readUsageView(params: Params, paths: readonly string[]): UsageView {
  const period = USAGE_PERIODS.find((each) => each === params.period) ?? USUAL_PERIOD;
  const keyId = typeof params.key === "string" && params.key !== "" ? params.key : null;
  const endpoint = paths.find((path) => path === params.endpoint) ?? null;
  return { period, keyId, endpoint };
}

/** The address of a view; what is as usual is left out. */
export function usageHref({ period, keyId, endpoint }: UsageView, base = "/usage"): string {
  const params = new URLSearchParams();
  if (period !== USUAL_PERIOD) params.set("period", period);
  if (keyId !== null) params.set("key", keyId);
  if (endpoint !== null) params.set("endpoint", endpoint);
  const search = params.toString().replaceAll("%2F", "/");
  return search === "" ? base : `${base}?${search}`;
}
