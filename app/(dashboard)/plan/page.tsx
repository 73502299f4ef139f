import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ListPart } from "@/components/ui/page-part";
import { issueFormTicket } from "@/features/forms/define-action";
import { requestPlan, withdrawPlanRequest } from "@/features/plan/actions";
import { readCosts, readGains, readPlanFits } from "@/features/plan/data";
import { EndpointCosts } from "@/features/plan/endpoint-costs";
import { PlanRequestPart } from "@/features/plan/plan-request-part";
import { PlanFits, PlanGains, PlanTable } from "@/features/plan/plan-view";
import { definePage } from "@/features/session/page-parts";
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

const NOTE_CLASS = "max-w-prose text-xs13 text-dim";

/** The account's plan and its limits today, the other plans, and what each call costs. */
export default definePage("Plan", async function PlanPage() {
  const account = await requireAccount("/plan");
  const runtime = await getRuntime();
  const limits = await readLimits(runtime, account, await runtime.keys.list(account.id));
  const gains = readGains(runtime, account);
  const days = await readUsedDays(runtime.database.pool, account.id, runtime.now());
  const hasPrepaid = account.plan === "payg" || account.prepaidCredits !== 0;
  return (
    <>
      <PageHeader title="Plan">
        <Link href="/usage" className={getButtonClass("quiet")}>
          Usage
        </Link>
      </PageHeader>
      <section
        aria-labelledby="today"
        className="grid gap-x-10 gap-y-5 border-t border-line px-4 pt-4 pb-5 max-md:px-3 wide:grid-cols-[20rem_minmax(0,1fr)]"
      >
        <div>
          <p className="text-xs13 text-dim">Your plan</p>
          <p className="text-2xl/9 font-semibold tracking-[-0.01em]">{formatPlan(account.plan)}</p>
          <p className={NOTE_CLASS}>
            {account.trialEndsAtMs !== null &&
              `Until ${new Date(account.trialEndsAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC. `}
            Only the operator of this installation can change it; you can ask for another one below.
          </p>
        </div>
        <div className="grid content-start gap-3">
          <h2 id="today" className="sr-only">
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
            Requests a minute are counted for each key, calls a day for the account. The day begins at midnight UTC.
            Each answered call counts once, whatever its cost in credits. A minute begins with a key’s first call and
            counts every call. The same counters decide whether a call is refused.
          </p>
        </div>
      </section>
      <div className="2xl:grid 2xl:grid-cols-2">
        <div className="min-w-0 border-line 2xl:border-r">
          <ListPart titleId="fits" title="Your last 30 days on each plan">
            <PlanFits lines={readPlanFits(runtime, account, days)} days={days} />
          </ListPart>
          <div className="wide:grid wide:grid-cols-[minmax(0,1fr)_23rem]">
            {gains.length > 0 && (
              <ListPart titleId="gains" title="What other plans add">
                <PlanGains gains={gains} />
              </ListPart>
            )}
            <RequestSection account={account} />
          </div>
          <ListPart titleId="plans" title="All plans">
            <PlanTable current={account.plan} />
          </ListPart>
        </div>
        <ListPart titleId="costs" title="What a call costs">
          <EndpointCosts costs={readCosts(runtime, account)} />
        </ListPart>
      </div>
    </>
  );
});

/** The form that asks for another plan, or the request that was sent. */
async function RequestSection({ account }: { account: Account }) {
  const { planRequests, now } = await getRuntime();
  const ticket = await issueFormTicket();
  return (
    <ListPart titleId="request" title="Request another plan">
      <PlanRequestPart
        request={await planRequests.find(account.id)}
        requestable={listRequestable(account)}
        nowMs={now()}
        steps={{ request: requestPlan.bind(null, ticket), withdraw: withdrawPlanRequest.bind(null, ticket) }}
      />
    </ListPart>
  );
}
