import { Moment } from "@/components/shared/moment";
import { SelectField, TextField } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import { MAX_LINE_LENGTH, type PlanRequest } from "@/lib/access/accounts/plan-requests";
import { formatPlan, type PlanName } from "@/lib/access/plans";

interface PlanRequestPartProps {
  /** The account's request: open, or the last one if it was declined. */
  request: PlanRequest | null;
  requestable: readonly PlanName[];
  nowMs: number;
  steps: Readonly<Record<"request" | "withdraw", FormAction>>;
}

/** Asks the operator for another plan, or shows the request. */
export function PlanRequestPart({ request, requestable, nowMs, steps }: PlanRequestPartProps) {
  if (request !== null && request.declined === null) {
    const { id, plan, message, createdAtMs } = request;
    return (
      <div data-part className="mx-4 grid max-w-xl gap-3 text-xs13 max-md:mx-3">
        <p>
          You asked for the <strong>{formatPlan(plan)}</strong> plan <Moment atMs={createdAtMs} nowMs={nowMs} />. A
          notice tells you what the operator answers.
        </p>
        {message !== null && <p className="text-dim [overflow-wrap:anywhere]">Your message: {message}</p>}
        <ActionForm key={id} id={id} action={steps.withdraw} submit="Withdraw request" className="justify-self-start" />
      </div>
    );
  }
  const declined = request?.declined ?? null;
  return (
    <div data-part className="mx-4 grid max-w-xl gap-4 max-md:mx-3">
      {request !== null && declined !== null && (
        <Notice tone="note">
          Your request for the {formatPlan(request.plan)} plan was declined{" "}
          <Moment atMs={declined.atMs} nowMs={nowMs} />. The operator’s reason: {declined.reason}
        </Notice>
      )}
      <ActionForm key={request?.id ?? "new"} action={steps.request} submit="Request plan">
        <div className="grid items-start gap-3 sm:max-wide:grid-cols-[10rem_minmax(0,1fr)]">
          <SelectField id="requested-plan" name="plan" label="Plan" defaultValue={requestable.at(0)}>
            {requestable.map((name) => (
              <option key={name} value={name}>
                {formatPlan(name)}
              </option>
            ))}
          </SelectField>
          <TextField
            id="request-message"
            name="message"
            label="Message, optional"
            maxLength={MAX_LINE_LENGTH}
            autoComplete="off"
          />
        </div>
      </ActionForm>
    </div>
  );
}
