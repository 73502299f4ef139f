import { PLAN_NAMES, type PlanName } from "@/lib/access/plans";

interface AccountQuery {
  readonly search: string;
  readonly state: "active" | "suspended" | undefined;
  readonly plan: PlanName | undefined;
  /** From 1. */
  readonly page: number;
}

const MAX_PAGE = 100_000;

/** Reads the filter and the page from an address. Invalid values are ignored. */
export function readAccountQuery(params: Readonly<Record<string, string | string[] | undefined>>): AccountQuery {
  const text = (name: string) => {
    const value = params[name];
    return (typeof value === "string" ? value : (value?.[0] ?? "")).replaceAll("\0", "").trim();
  };
  const page = Number(text("page"));
  return {
    search: text("search").slice(0, 254),
    state: (["active", "suspended"] as const).find((state) => state === text("state")),
    plan: PLAN_NAMES.find((plan) => plan === text("plan")),
    page: Number.isSafeInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1,
  };
}
