import type { Metadata } from "next";
import { requireAccount } from "@/app/session";
import { PlanTable } from "@/components/plan/plan-table";
import { PageHeader } from "@/components/shell/page-header";
import { planLabel } from "@/components/shell/plan-label";
import { NO_LIMIT } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Plan" };

/** What the account may do, and what the other plans would add. */
export default async function PlanPage() {
  const account = await requireAccount("/plan");
  const { directory } = await getRuntime();
  const entry = directory.account(account.id);
  return (
    <>
      <PageHeader title="Plan" />
      <div className="grid max-w-5xl gap-4 p-4">
        <p className="text-dim">
          This account is on the <strong className="text-ink">{planLabel(account.plan)}</strong> plan
          {entry !== undefined && entry.perDay !== NO_LIMIT && (
            <>, with {entry.perDay.toLocaleString("en")} calls a day</>
          )}
          . Limits are counted per key for a minute and per account for a day, which begins at midnight UTC; only
          answered calls count for the day. The operator of this installation changes plans.
        </p>
        <PlanTable current={account.plan} />
      </div>
    </>
  );
}
