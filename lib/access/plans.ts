import { formatCount } from "@/lib/text/text";

/**
 * The terms of each plan; these numbers are defined only here. A standard key follows the plan of its account. A tool
 * key has its own terms, which do not depend on the plan.
 */

/** "No limit", as a number that is never reached, so that comparisons need no special case. */
export const NO_LIMIT = 2_147_483_647;

export const TRIAL_DAYS = 14;

/** Cheapest first. */
export const PLAN_NAMES = ["free", "trial", "payg", "starter", "pro", "enterprise"] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export const KEY_KINDS = ["standard", "tool"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

/** What a plan, or a tool key, allows. */
export interface Entitlements {
  /** The plan's name in answers; "tool" for tool keys. */
  readonly name: PlanName | "tool";
  /** Requests in a window of 60 seconds, counted per key. */
  readonly perMinute: number;
  /** Answered calls in a UTC day, counted per account. */
  readonly perDay: number;
  /** Streams of prices that a key may have open, counted by each server. */
  readonly streams: number;
  /** Symbols of one stream. */
  readonly streamSymbols: number;
  readonly calendar: boolean;
  /** Released figures in calendar events; without this they are null. */
  readonly actuals: boolean;
  readonly ticks: boolean;
  /** `/indicator/history`, and `/multi` over a past range. */
  readonly indicatorHistory: boolean;
}

/** The terms of a plan: those of its standard keys, and what an account may have. */
interface PlanTerms extends Entitlements {
  readonly alerts: AlertLimits;
}

/** How much an account may have. What it has already stays when its plan allows less. */
interface AlertLimits {
  /** Alerts that are active. */
  readonly active: number;
  readonly webhooks: number;
}

/** Data that not every plan includes. */
export type Entitlement = "calendar" | "actuals" | "ticks" | "indicatorHistory";

/** Each further minute of a stream counts as one call and costs this many credits. */
export const STREAM_CREDITS_PER_MINUTE = 1;

const NO_DATA = { calendar: false, actuals: false, ticks: false, indicatorHistory: false };
const ALL_DATA = { calendar: true, actuals: true, ticks: true, indicatorHistory: true };

const FREE = { perMinute: 30, perDay: 1_000, streams: 1, streamSymbols: 5, ...NO_DATA } as const;

const PLANS: Readonly<Record<PlanName, PlanTerms>> = {
  free: { name: "free", ...FREE, alerts: { active: 5, webhooks: 1 } },
  trial: { name: "trial", ...FREE, alerts: { active: 5, webhooks: 1 } },
  payg: {
    name: "payg",
    perMinute: 600,
    perDay: NO_LIMIT,
    streams: 5,
    streamSymbols: 50,
    ...NO_DATA,
    calendar: true,
    alerts: { active: 50, webhooks: 5 },
  },
  starter: {
    name: "starter",
    perMinute: 120,
    perDay: 10_000,
    streams: 3,
    streamSymbols: 25,
    ...ALL_DATA,
    ticks: false,
    alerts: { active: 50, webhooks: 3 },
  },
  pro: {
    name: "pro",
    perMinute: 600,
    perDay: 100_000,
    streams: 10,
    streamSymbols: NO_LIMIT,
    ...ALL_DATA,
    alerts: { active: 500, webhooks: 10 },
  },
  enterprise: {
    name: "enterprise",
    perMinute: 6_000,
    perDay: 1_000_000,
    streams: 50,
    streamSymbols: NO_LIMIT,
    ...ALL_DATA,
    alerts: { active: 5_000, webhooks: 50 },
  },
};

const TOOL_KEY: Entitlements = {
  name: "tool",
  perMinute: 60,
  perDay: 5_000,
  streams: 1,
  streamSymbols: 20,
  ...NO_DATA,
  calendar: true,
};

/** What a key of this kind may do under a plan. */
export function getEntitlements(plan: PlanName, kind: KeyKind): Entitlements {
  return kind === "tool" ? TOOL_KEY : PLANS[plan];
}

/** How many alerts and webhooks an account of this plan may have. */
export function getAlertLimits(plan: PlanName): AlertLimits {
  return PLANS[plan].alerts;
}

/** An account on the dashboard, or a key that calls the API. */
export type Reader =
  | { readonly role: "operator" | "member"; readonly plan: PlanName }
  | { readonly entitlements: Entitlements };

/** Whether an account or a key may read this data. On the dashboard an operator may read everything. */
export function mayRead(reader: Reader, entitlement: Entitlement): boolean {
  if ("entitlements" in reader) return reader.entitlements[entitlement];
  return reader.role === "operator" || PLANS[reader.plan][entitlement];
}

/** Whether terms open an endpoint; "partly" where that depends on the call. */
export type Openness = "yes" | "no" | "partly";

/** `isConditional`: whether only some calls of the endpoint need its entitlement. */
export function getOpenness(
  { entitlement, isConditional }: { readonly entitlement: Entitlement | null; readonly isConditional: boolean },
  terms: Entitlements,
): Openness {
  if (entitlement === null || terms[entitlement]) return "yes";
  return isConditional ? "partly" : "no";
}

/** The names of the plans that include this data; with "tool" if tool keys may read it. */
export function listPlansWith(entitlement: Entitlement): (PlanName | "tool")[] {
  return [TOOL_KEY, ...Object.values(PLANS)].filter((terms) => terms[entitlement]).map(({ name }) => name);
}

/** The cheapest plan whose standard keys may read this data. */
export function findCheapestPlanWith(entitlement: Entitlement): PlanName {
  const plan = PLAN_NAMES.find((name) => PLANS[name][entitlement]);
  if (plan === undefined) throw new Error(`No plan includes ${entitlement}.`);
  return plan;
}

/** The active plan at `nowMs`: a trial becomes "free" when it ends. `trialEndsAtMs` is UTC milliseconds, or null. */
export function getPlanAt(plan: PlanName, trialEndsAtMs: number | null, nowMs: number): PlanName {
  return plan === "trial" && (trialEndsAtMs === null || nowMs >= trialEndsAtMs) ? "free" : plan;
}

const PLAN_LABELS: Readonly<Record<PlanName, string>> = {
  free: "Free",
  trial: "Trial",
  payg: "Pay as you go",
  starter: "Starter",
  pro: "Pro",
  enterprise: "Enterprise",
};

/** The name of a plan as people read it. */
export function formatPlan(plan: PlanName): string {
  return PLAN_LABELS[plan];
}

/** A limit of a plan or an account: "1,000", "no limit". */
export function formatLimit(limit: number): string {
  return limit >= NO_LIMIT ? "no limit" : formatCount(limit);
}

/** The plans that include this data, cheapest first: "Starter, Pro and Enterprise". */
export function formatPlansWith(entitlement: Entitlement): string {
  const names: readonly string[] = listPlansWith(entitlement);
  return LIST_FORMAT.format(PLAN_NAMES.filter((name) => names.includes(name)).map(formatPlan));
}

const LIST_FORMAT = new Intl.ListFormat("en-GB");
