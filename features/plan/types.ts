import type { Openness } from "@/lib/access/plans";
import type { PlanFit } from "@/lib/access/usage/plan-days";

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
