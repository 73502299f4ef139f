import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { issueFormTicket } from "@/features/forms/define-action";
import { approvePlanRequest, declinePlanRequest } from "@/features/operator/actions";
import { PlanRequestList } from "@/features/operator/plan-request-list";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, requireOperator } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Plan requests" };

/** The requests of accounts for another plan that wait for an answer. */
export default definePage("Plan requests", async function PlanRequestsPage() {
  const { id } = await requireOperator("/operator/plan-requests");
  const { planRequests, now } = await getRuntime();
  const requests = await planRequests.listOpen();
  const ticket = await issueFormTicket();
  const steps = {
    approve: approvePlanRequest.bind(null, ticket),
    decline: declinePlanRequest.bind(null, ticket),
  };
  return (
    <>
      <PageHeader title="Plan requests" />
      {requests.length === 0 ? (
        <EmptyState
          art="letter"
          title="No open requests"
          action={
            <Link href="/operator/accounts" className={getButtonClass("secondary")}>
              All accounts
            </Link>
          }
        >
          Accounts ask for another plan on their page Plan. You can also set a plan on the page of an account.
        </EmptyState>
      ) : (
        <PlanRequestList requests={requests} nowMs={now()} confirmed={await isConfirmed(id)} steps={steps} />
      )}
    </>
  );
});
