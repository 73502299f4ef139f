import { PLAN_NAMES, type PlanName } from "@/lib/access/plans";

interface WantedAccounts {
  readonly search: string;
  readonly state: "active" | "suspended" | undefined;
  readonly plan: PlanName | undefined;
  /** From 1. */
  readonly page: number;
}

const MOST_PAGES = 100_000;

/** What the address of the page asks for; what makes no sense asks for nothing. */
export function readAccountQuery(params: Readonly<Record<string, string | string[] | undefined>>): WantedAccounts {
  const text = (name: string) => {
    const value = params[name];
    return (typeof value === "string" ? value : (value?.[0] ?? "")).replaceAll("\0", "").trim();
  };
  const page = Number(text("page"));
  return {
    search: text("search").slice(0, 254),
    state: (["active", "suspended"] as const).find((state) => state === text("state")),
    plan: PLAN_NAMES.find((plan) => plan === text("plan")),
    page: Number.isSafeInteger(page) && page >= 1 && page <= MOST_PAGES ? page : 1,
  };
}
