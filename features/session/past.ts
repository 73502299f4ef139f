import type { Account } from "@/lib/access/accounts/account";
import { formatPlansWith, mayRead } from "@/lib/access/plans";
import type { NotRecorded } from "@/lib/history/as-of/past-changes";
import { getRuntime, type Past, type Runtime } from "@/lib/runtime";
import { formatTime, parseTime } from "@/lib/time/iso-time";
import { SECOND_MS } from "@/lib/time/units";

/** Why a second of the past cannot be shown. */
export type PastProblem =
  /** The account's plan does not include it. */
  | { readonly kind: "locked" }
  | { readonly kind: "unreadable" }
  | { readonly kind: "future" }
  | ({ readonly kind: "gap" } & NotRecorded);

/** The services of a page or a data route at a moment, or why there are none of that moment. */
export interface MarketAt {
  /** With a problem it is that of the present, and not for prices. */
  readonly runtime: Runtime;
  readonly isPast: boolean;
  /** What was not recorded of that second; null for the present. */
  readonly missing: Past["missing"] | null;
  readonly problem: PastProblem | null;
}

/**
 * Opens the market for an account at the moment that an address names, or at the present. The past needs what it needs
 * with `at` in /v1: a plan with ticks.
 */
export async function openMarketAt(account: Account, at: string | null): Promise<MarketAt> {
  const runtime = await getRuntime();
  const present = { runtime, isPast: false, missing: null, problem: null };
  if (at === null) return present;
  if (!mayRead(account, "ticks")) return { ...present, problem: { kind: "locked" } };
  const momentMs = parseTime(at);
  if (momentMs === null) return { ...present, problem: { kind: "unreadable" } };
  if (momentMs > runtime.marketNow()) return { ...present, problem: { kind: "future" } };
  const past = await runtime.openPast(Math.floor(momentMs / SECOND_MS) * SECOND_MS);
  return { ...past, isPast: true, problem: null };
}

/** The refusal of a data route: its status, and the reason for people. */
export function describeProblem(problem: PastProblem): { readonly status: number; readonly error: string } {
  if (problem.kind === "locked")
    return { status: 403, error: `The past needs one of these plans: ${formatPlansWith("ticks")}` };
  if (problem.kind === "unreadable") return { status: 400, error: "at is no time such as 2026-11-27T13:30:00Z" };
  if (problem.kind === "future") return { status: 400, error: "at must not be in the future" };
  const nearest = [problem.beforeMs, problem.afterMs].flatMap((ms) => (ms === null ? [] : [formatTime(ms)]));
  return { status: 404, error: ["Nothing was recorded then", ...nearest].join("; nearest: ") };
}
