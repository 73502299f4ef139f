import { Moment } from "@/components/shared/moment";
import { TextField } from "@/components/ui/field";
import { Link } from "@/components/ui/link";
import { PagePart, PageParts } from "@/components/ui/page-part";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { MAX_LINE_LENGTH, type OpenPlanRequest } from "@/lib/access/accounts/plan-requests";
import { formatPlan } from "@/lib/access/plans";

interface PlanRequestListProps {
  requests: readonly OpenPlanRequest[];
  nowMs: number;
  /** Whether the operator was confirmed a moment ago. */
  confirmed: boolean;
  steps: Readonly<Record<"approve" | "decline", FormAction>>;
}

/** Each open request with what it asks for, and the forms that approve and decline it. */
export function PlanRequestList({ requests, nowMs, confirmed, steps }: PlanRequestListProps) {
  return (
    <PageParts>
      {requests.map((request) => {
        const { id, accountId, email, message, createdAtMs } = request;
        const whose = <span className="sr-only"> the request of {email}</span>;
        return (
          <PagePart
            key={id}
            titleId={`request-${id}`}
            title={
              <Link
                href={`/operator/accounts/${accountId}`}
                className="[overflow-wrap:anywhere] underline-offset-4 hover:underline"
              >
                {email}
              </Link>
            }
            text={
              <>
                <Change request={request} /> · <Moment atMs={createdAtMs} nowMs={nowMs} />
                {message !== null && (
                  <span className="mt-1 block [overflow-wrap:anywhere] text-ink">Message: {message}</span>
                )}
              </>
            }
          >
            <div className="grid content-start gap-3">
              <ActionForm
                id={id}
                action={steps.approve}
                confirmed={confirmed}
                look="primary"
                submit={<>Approve{whose}</>}
              />
              <ActionForm id={id} action={steps.decline} submit={<>Decline{whose}</>} summary="Decline with a reason">
                <TextField
                  id={`reason-${id}`}
                  name="reason"
                  label="Reason"
                  hint="The owner of the account sees it."
                  maxLength={MAX_LINE_LENGTH}
                  required
                  autoComplete="off"
                />
              </ActionForm>
            </div>
          </PagePart>
        );
      })}
    </PageParts>
  );
}

function Change({ request: { currentPlan, plan, isSuspended } }: { request: OpenPlanRequest }) {
  return (
    <>
      From {formatPlan(currentPlan)} to <strong className="text-ink">{formatPlan(plan)}</strong>
      {isSuspended && ", the account is suspended"}
    </>
  );
}
