/**
 * What each plan may do: the one place where these numbers stand. A key is served under the plan of its account,
 * except a tool key, which brings terms of its own whatever the account pays for.
 */

/** "No limit": a number like any other that nobody reaches, so that no comparison needs a special case. */
export const NO_LIMIT = 2_147_483_647;

export const TRIAL_DAYS = 14;

export const PLAN_NAMES = ["free", "trial", "payg", "starter", "pro", "enterprise"] as const;
export type PlanName = (typeof PLAN_NAMES)[number];

export const KEY_KINDS = ["standard", "tool"] as const;
export type KeyKind = (typeof KEY_KINDS)[number];

export interface Entitlements {
  /** The plan's name as answers show it; "tool" for tool keys. */
  readonly name: PlanName | "tool";
  /** Requests in a window of 60 seconds, counted per key. */
  readonly perMinute: number;
  /** Answered calls in a UTC day, counted per account. */
  readonly perDay: number;
  readonly calendar: boolean;
  /** Released figures in calendar events; without this they stay null. */
  readonly actuals: boolean;
  readonly ticks: boolean;
  /** `/indicator/history`, and `/multi` over a past range. */
  readonly indicatorHistory: boolean;
}

/** What a plan opens or keeps shut, as an endpoint names it. */
export type Entitlement = "calendar" | "ticks" | "indicatorHistory";

const none = { calendar: false, actuals: false, ticks: false, indicatorHistory: false };
const all = { calendar: true, actuals: true, ticks: true, indicatorHistory: true };

export const plans: Readonly<Record<PlanName, Entitlements>> = {
  free: { name: "free", perMinute: 30, perDay: 1_000, ...none },
  trial: { name: "trial", perMinute: 30, perDay: 1_000, ...none },
  payg: { name: "payg", perMinute: 600, perDay: NO_LIMIT, ...none, calendar: true },
  starter: { name: "starter", perMinute: 120, perDay: 10_000, ...all, ticks: false },
  pro: { name: "pro", perMinute: 600, perDay: 100_000, ...all },
  enterprise: { name: "enterprise", perMinute: 6_000, perDay: 1_000_000, ...all },
};

const toolTerms: Entitlements = { name: "tool", perMinute: 60, perDay: 5_000, ...none, calendar: true };

/** What a key of this kind may do on an account of this plan. */
export function getEntitlements(plan: PlanName, kind: KeyKind): Entitlements {
  return kind === "tool" ? toolTerms : plans[plan];
}

/** The names of all terms that include something. */
export function listPlansWith(entitlement: Entitlement): string[] {
  return [toolTerms, ...Object.values(plans)].filter((terms) => terms[entitlement]).map(({ name }) => name);
}

/** The plan in force at `nowMs`: a trial becomes free when it ends. `trialEndsAtMs` is UTC milliseconds, or null. */
export function planAt(plan: PlanName, trialEndsAtMs: number | null, nowMs: number): PlanName {
  return plan === "trial" && (trialEndsAtMs === null || nowMs >= trialEndsAtMs) ? "free" : plan;
}
