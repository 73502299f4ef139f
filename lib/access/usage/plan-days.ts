import type { Pool } from "pg";
import { isId } from "@/lib/access/id";
import { type Entitlements, NO_LIMIT } from "@/lib/access/plans";
import { listSteps } from "@/lib/access/usage/usage-report";

/** The answered calls of an account's standard keys in the last 30 UTC days, and what they would be on other plans. */

export interface UsedDay {
  readonly startMs: number;
  /** Answered calls, which count toward the daily quota, by endpoint. */
  readonly answered: ReadonlyMap<string, number>;
  /** Calls that were refused because a minute or the day was used up. */
  readonly limited: number;
}

/** Reads the days with calls, oldest first. Tool keys have their own terms on every plan, so they are left out. */
export async function readUsedDays(pool: Pool, accountId: string, nowMs: number): Promise<UsedDay[]> {
  if (!isId(accountId)) return [];
  const { rows } = await pool.query<{ startMs: number; endpoint: string; answered: number; limited: number }>(
    `SELECT (extract(epoch FROM date_trunc('day', hour, 'UTC')) * 1000)::float8 AS "startMs", endpoint,
            coalesce(sum(calls) FILTER (WHERE status BETWEEN 200 AND 299), 0)::float8 AS answered,
            coalesce(sum(calls) FILTER (WHERE status = 429), 0)::float8 AS limited
       FROM usage_hour
      WHERE account_id = $1 AND hour >= to_timestamp($2::float8 / 1000)
        AND key_id IN (SELECT id FROM api_key WHERE account_id = $1 AND kind = 'standard')
      GROUP BY 1, 2 ORDER BY 1, 2`,
    [accountId, listSteps("30d", nowMs).startsMs[0]],
  );
  const days = new Map<number, { startMs: number; answered: Map<string, number>; limited: number }>();
  for (const { startMs, endpoint, answered, limited } of rows) {
    const day = days.get(startMs) ?? { startMs, answered: new Map<string, number>(), limited: 0 };
    if (answered > 0) day.answered.set(endpoint, answered);
    day.limited += limited;
    days.set(startMs, day);
  }
  return [...days.values()];
}

export interface PlanFit {
  /** Days whose answered calls exceed the plan's daily quota. */
  readonly daysOver: number;
  /** Calls on these days beyond the quota. */
  readonly callsOver: number;
  /** The endpoints among those called that the plan does not open, and the calls of them. */
  readonly missing: readonly { readonly endpoint: string; readonly calls: number }[];
}

/** What the calls of the days would have been on a plan. `opens` says whether the plan opens an endpoint at all. */
export function fitPlan(
  days: readonly UsedDay[],
  { perDay }: Pick<Entitlements, "perDay">,
  opens: (endpoint: string) => boolean,
): PlanFit {
  const missing = new Map<string, number>();
  let [daysOver, callsOver] = [0, 0];
  for (const { answered } of days) {
    let counted = 0;
    for (const [endpoint, calls] of answered) {
      if (opens(endpoint)) counted += calls;
      else missing.set(endpoint, (missing.get(endpoint) ?? 0) + calls);
    }
    if (perDay === NO_LIMIT || counted <= perDay) continue;
    daysOver += 1;
    callsOver += counted - perDay;
  }
  return { daysOver, callsOver, missing: Array.from(missing, ([endpoint, calls]) => ({ endpoint, calls })) };
}
