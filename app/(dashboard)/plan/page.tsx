import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { issueFormTicket } from "@/features/forms/define-action";
import { requestPlan, withdrawPlanRequest } from "@/features/plan/actions";
import { readCosts, readGains, readPlanFits } from "@/features/plan/data";
import { EndpointCosts } from "@/features/plan/endpoint-costs";
import { PlanRequestPart } from "@/features/plan/plan-request-part";
import { PlanFits, PlanGains, PlanTable } from "@/features/plan/plan-view";
import { requireAccount } from "@/features/session/session";
import { readLimits } from "@/features/usage/data";
import { getForecastClass, Quota, QuotaFigure } from "@/features/usage/day-quota";
import { LimitsNow } from "@/features/usage/limits-now";
import type { Account } from "@/lib/access/accounts/accounts";
import { listRequestable } from "@/lib/access/accounts/plan-requests";
import { formatPlan } from "@/lib/access/plans";
import { readUsedDays } from "@/lib/access/usage/plan-days";
import { getRuntime } from "@/lib/runtime";
import { formatCount } from "@/lib/text/text";

export const metadata: Metadata = { title: "Plan" };

const NOTE_CLASS = "max-w-3xl text-xs13 text-dim";

/** The account's plan and its limits today, the other plans, and what each call costs. */
export default async function PlanPage() {
  const account = await requireAccount("/plan");
  const runtime = await getRuntime();
  const limits = await readLimits(runtime, account, await runtime.keys.list(account.id));
  const gains = readGains(account);
  const days = await readUsedDays(runtime.database.pool, account.id, runtime.now());
  const hasPrepaid = account.plan === "payg" || account.prepaidCredits !== 0;
  return (
    <>
      <PageHeader title="Plan">
        <Link href="/usage" className={getButtonClass("quiet")}>
          Usage
        </Link>
      </PageHeader>
      <div className="grid max-w-5xl gap-8 px-4 pt-2 pb-8">
        <p className={NOTE_CLASS}>
          This account is on the <strong className="text-ink">{formatPlan(account.plan)}</strong> plan
          {account.trialEndsAtMs !== null &&
            `, until ${new Date(account.trialEndsAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC`}
          . Requests a minute are counted for each key, calls a day for the account. Only the operator of this
          installation can change your plan; you can ask for another one below.
        </p>
        <section aria-labelledby="today" className="grid gap-3">
          <h2 id="today" className="font-medium">
            Today
          </h2>
          <LimitsNow initial={limits}>
            {hasPrepaid && (
              <Quota title="Prepaid credits">
                <QuotaFigure
                  figure={formatCount(account.prepaidCredits)}
                  unit={account.prepaidCredits < 0 ? "owed to the operator" : "left"}
                />
                <p className={getForecastClass(false)}>
                  Standard keys spend them while the account is on pay as you go.
                </p>
              </Quota>
            )}
          </LimitsNow>
          <p className={NOTE_CLASS}>
            The day begins at midnight UTC. Each answered call counts once, whatever its cost in credits. A minute
            begins with a key’s first call and counts every call. The same counters decide whether a call is refused.
          </p>
        </section>
        <section aria-labelledby="fits" className="grid gap-3">
          <h2 id="fits" className="font-medium">
            Your last 30 days on each plan
          </h2>
          <PlanFits lines={readPlanFits(account, days)} days={days} />
        </section>
        {gains.length > 0 && (
          <section aria-labelledby="gains" className="grid gap-3">
            <h2 id="gains" className="font-medium">
              What other plans add
            </h2>
            <PlanGains gains={gains} />
          </section>
        )}
        <RequestSection account={account} />
        <section aria-labelledby="plans" className="grid gap-3">
          <h2 id="plans" className="font-medium">
            All plans
          </h2>
          <PlanTable current={account.plan} />
        </section>
        <section aria-labelledby="costs" className="grid gap-3">
          <h2 id="costs" className="font-medium">
            What a call costs
          </h2>
          <EndpointCosts costs={readCosts(account)} />
        </section>
      </div>
    </>
  );
}

/** The form that asks for another plan, or the request that was sent. */
async function RequestSection({ account }: { account: Account }) {
  const { planRequests, now } = await getRuntime();
  const ticket = await issueFormTicket();
  return (
    <section aria-labelledby="request" className="grid gap-3">
      <h2 id="request" className="font-medium">
        Request another plan
      </h2>
      <PlanRequestPart
        request={await planRequests.find(account.id)}
        requestable={listRequestable(account)}
        nowMs={now()}
        steps={{ request: requestPlan.bind(null, ticket), withdraw: withdrawPlanRequest.bind(null, ticket) }}
      />
    </section>
  );
}
