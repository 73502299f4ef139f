import Link from "next/link";
import { Moment } from "@/components/shared/moment";
import { KeyStep } from "@/features/forms/key-step";
import type { StepAction } from "@/features/forms/step-state";
import type { Invitation } from "@/lib/access/accounts/invitations";
import { formatPlan } from "@/lib/access/plan-text";

interface InvitationTableProps {
  invitations: readonly Invitation[];
  nowMs: number;
  remove: StepAction;
}

/** Invitations, a line each. */
export function InvitationTable({ invitations, nowMs, remove }: InvitationTableProps) {
  return (
    <table className="card-table">
      <caption className="sr-only">Invitations</caption>
      <thead>
        <tr>
          <th scope="col">For</th>
          <th scope="col">Plan</th>
          <th scope="col">Made</th>
          <th scope="col">Expires</th>
          <th scope="col">State</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {invitations.map(({ id, email, plan, state, createdAtMs, expiresAtMs, usedAtMs }) => (
          <tr key={id} data-state={state === "open" ? "active" : "expired"}>
            <th scope="row">
              <span className="card-title">{email ?? "anybody with the link"}</span>
            </th>
            <td data-label="Plan">{formatPlan(plan)}</td>
            <td data-label="Made">
              <Moment atMs={createdAtMs} nowMs={nowMs} />
            </td>
            <td data-label="Expires">
              {state === "used" ? <span className="text-dim">–</span> : <Moment atMs={expiresAtMs} nowMs={nowMs} />}
            </td>
            <td data-label="State">
              <span className="key-state" data-state={state === "open" ? "active" : "expired"}>
                <span aria-hidden className="key-state-dot" />
                <span>
                  {state === "used" ? (
                    <Link href={`/operator/accounts/${id}`} className="underline underline-offset-4">
                      used
                    </Link>
                  ) : (
                    state
                  )}{" "}
                  {usedAtMs !== null && <Moment atMs={usedAtMs} nowMs={nowMs} />}
                </span>
              </span>
            </td>
            <td className="card-actions">
              <KeyStep id={id} action={remove}>
                {state === "open" ? "Revoke" : "Remove"}
                <span className="sr-only"> the invitation for {email ?? "anybody with the link"}</span>
              </KeyStep>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
