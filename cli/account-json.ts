import { isoOf } from "@/cli/access";
import type { Account } from "@/lib/access/accounts/accounts";
import { NO_LIMIT } from "@/lib/access/plans";

/** "none" is no limit, "plan" follows the plan. */
export const limitWord = (limit: number | null) => (limit === null ? "plan" : limit === NO_LIMIT ? "none" : limit);

/** An account as commands answer with it. */
export function jsonOf(account: Account) {
  return {
    id: account.id,
    email: account.email,
    role: account.role,
    plan: account.plan,
    trial_ends_at: isoOf(account.trialEndsAtMs),
    per_minute: limitWord(account.perMinuteLimit),
    per_day: limitWord(account.perDayLimit),
    prepaid_credits: account.prepaidCredits,
    suspended: account.suspendedAtMs !== null,
    suspended_reason: account.suspendedReason,
    created_at: isoOf(account.createdAtMs),
  };
}
