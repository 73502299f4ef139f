import { toIso } from "@/cli/access";
import type { Account } from "@/lib/access/accounts/accounts";
import { NO_LIMIT } from "@/lib/access/plans";

/** "none" is no limit, "plan" follows the plan. */
export const formatLimit = (limit: number | null) => (limit === null ? "plan" : limit === NO_LIMIT ? "none" : limit);

/** Converts an account to the JSON of the commands. */
export function toJson(account: Account) {
  return {
    id: account.id,
    email: account.email,
    role: account.role,
    plan: account.plan,
    trial_ends_at: toIso(account.trialEndsAtMs),
    per_minute: formatLimit(account.perMinuteLimit),
    per_day: formatLimit(account.perDayLimit),
    prepaid_credits: account.prepaidCredits,
    suspended: account.suspendedAtMs !== null,
    suspended_reason: account.suspendedReason,
    created_at: toIso(account.createdAtMs),
  };
}
