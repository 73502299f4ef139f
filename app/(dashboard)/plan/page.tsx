import type { Metadata } from "next";
import Link from "next/link";
import { PageHeader } from "@/components/shell/page-header";
import { buttonClass } from "@/components/ui/button";
import { costsOf, gainsOf } from "@/features/plan/data";
import { EndpointCosts } from "@/features/plan/endpoint-costs";
import { PlanGains } from "@/features/plan/plan-gains";
import { PlanTable } from "@/features/plan/plan-table";
import { requireAccount } from "@/features/session/session";
import { readLimits } from "@/features/usage/limits-data";
import { LimitsNow } from "@/features/usage/limits-now";
import { formatPlan } from "@/lib/access/plan-text";
import { getRuntime } from "@/lib/runtime";
import { formatCount } from "@/lib/text/number";

import "@/features/usage/limits.css";
import "@/features/plan/plan.css";

export const metadata: Metadata = { title: "Plan" };

/** What the account may do, what it has done today, what a call costs, and what the other plans would add. */
export default async function PlanPage() {
  const account = await requireAccount("/plan");
  const runtime = await getRuntime();
  const limits = await readLimits(runtime, account, await runtime.keys.list(account.id));
  const gains = gainsOf(account);
  const hasPrepaid = account.plan === "payg" || account.prepaidCredits !== 0;
  return (
    <>
      <PageHeader title="Plan">
        <Link href="/usage" className={buttonClass("quiet")}>
          Usage
        </Link>
      </PageHeader>
      <div className="grid max-w-5xl gap-8 px-4 pt-2 pb-8">
        <p className="plan-note">
          This account is on the <strong className="text-ink">{formatPlan(account.plan)}</strong> plan
          {account.trialEndsAtMs !== null &&
            `, until ${new Date(account.trialEndsAtMs).toISOString().slice(0, 16).replace("T", " ")} UTC`}
          . Requests a minute are counted for each key, calls a day for the account. The operator of this installation
          changes plans.
        </p>
        <section aria-labelledby="today" className="plan-part">
          <h2 id="today">Today</h2>
          <LimitsNow initial={limits}>
            {hasPrepaid && (
              <div className="limit-quota">
                <h3>Prepaid credits</h3>
                <p className="limit-figure">
                  {formatCount(account.prepaidCredits)}
                  <span>{account.prepaidCredits < 0 ? "owed to the operator" : "left"}</span>
                </p>
                <p className="limit-outlook">Standard keys spend them while the account is on pay as you go.</p>
              </div>
            )}
          </LimitsNow>
          <p className="plan-note">
            The day begins at midnight UTC. Only answered calls count, each once, whatever it costs in credits. A minute
            begins with a key’s first call, and every call counts in it. These are the counters that calls are admitted
            by.
          </p>
        </section>
        {gains.length > 0 && (
          <section aria-labelledby="gains" className="plan-part">
            <h2 id="gains">What another plan would open</h2>
            <PlanGains gains={gains} />
          </section>
        )}
        <section aria-labelledby="plans" className="plan-part">
          <h2 id="plans">All plans</h2>
          <PlanTable current={account.plan} />
        </section>
        <section aria-labelledby="costs" className="plan-part">
          <h2 id="costs">What a call costs</h2>
          <EndpointCosts costs={costsOf(account)} />
        </section>
      </div>
    </>
  );
}
