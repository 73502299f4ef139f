import type { Account } from "@/lib/access/accounts/accounts";
import {
  type Entitlements,
  formatPlan,
  getEntitlements,
  getOpenness,
  type Openness,
  PLAN_NAMES,
} from "@/lib/access/plans";
import { fitPlan, type PlanFit, type UsedDay } from "@/lib/access/usage/plan-days";
import { listGains } from "@/lib/access/usage/plan-forecast";
import type { Endpoint } from "@/lib/api/engine/endpoint";
import type { Runtime } from "@/lib/runtime";

type Endpoints = Pick<Runtime, "keyedEndpoints">;

/** Returns the terms of an account's standard keys: those of its plan, with the custom limits. */
function readOwnTerms({ plan, perMinuteLimit, perDayLimit }: Account): Entitlements {
  const terms = getEntitlements(plan, "standard");
  return { ...terms, perMinute: perMinuteLimit ?? terms.perMinute, perDay: perDayLimit ?? terms.perDay };
}

/** Returns the plans that add something to the account's terms, except the trial. */
export function readGains({ keyedEndpoints }: Endpoints, account: Account): PlanGain[] {
  const own = readOwnTerms(account);
  return PLAN_NAMES.filter((name) => name !== "trial")
    .map((name) => {
      const terms = getEntitlements(name, "standard");
      const opened = keyedEndpoints.filter(
        (each) => readOpenness(each, own) !== "yes" && readOpenness(each, terms) === "yes",
      );
      const paths = opened.map(({ path }) => path);
      return { label: formatPlan(name), gained: listGains(own, terms), lost: listGains(terms, own), opened: paths };
    })
    .filter(({ gained }) => gained.length > 0);
}

function readOpenness({ entitlement, needsEntitlement }: Endpoint, terms: Entitlements): Openness {
  return getOpenness({ entitlement, isConditional: needsEntitlement !== undefined }, terms);
}

/** Returns the credits that a call of each endpoint costs. */
export function readCosts({ keyedEndpoints }: Endpoints, account: Account): EndpointCost[] {
  const own = readOwnTerms(account);
  return keyedEndpoints.map((each) => {
    const { method, path, summary, weight } = each;
    return { method, path, summary, credits: weight, open: readOpenness(each, own) };
  });
}

/** Measures days by the terms of every plan but the trial; the account's own plan has its custom limits. */
export function readPlanFits({ keyedEndpoints }: Endpoints, account: Account, days: readonly UsedDay[]): PlanFitLine[] {
  return PLAN_NAMES.filter((name) => name !== "trial" || name === account.plan).map((name) => {
    const isOwn = name === account.plan;
    const terms = isOwn ? readOwnTerms(account) : getEntitlements(name, "standard");
    const closed = new Set(keyedEndpoints.filter((each) => readOpenness(each, terms) === "no").map(({ path }) => path));
    return {
      label: formatPlan(name),
      isOwn,
      perDay: terms.perDay,
      fit: fitPlan(days, terms, (endpoint) => !closed.has(endpoint)),
    };
  });
}

/** The difference between a plan and the terms of an account. */
export interface PlanGain {
  readonly label: string;
  readonly gained: readonly string[];
  /** Terms of the account that this plan lacks. */
  readonly lost: readonly string[];
  /** Paths of the endpoints that it opens. */
  readonly opened: readonly string[];
}

export interface EndpointCost {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
  readonly credits: number;
  /** Whether the account's plan opens it; "partly" where that depends on the request. */
  readonly open: Openness;
}

/** The calls of the last 30 days, measured by the terms of one plan. */
export interface PlanFitLine {
  readonly label: string;
  readonly isOwn: boolean;
  readonly perDay: number;
  readonly fit: PlanFit;
}
