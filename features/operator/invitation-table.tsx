import { Moment } from "@/components/shared/moment";
import { Link } from "@/components/ui/link";
import { State } from "@/components/ui/state";
import { type Column, createActionsColumn, Table } from "@/components/ui/table";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { Invitation } from "@/lib/access/accounts/registration";
import { formatPlan } from "@/lib/access/plans";

interface InvitationTableProps {
  invitations: readonly Invitation[];
  nowMs: number;
  remove: FormAction;
}

const ANYONE = "anyone with the link";

export function InvitationTable({ invitations, nowMs, remove }: InvitationTableProps) {
  const columns: readonly Column<Invitation>[] = [
    {
      heading: "For",
      cell: ({ email }) => <span className="mr-2 font-medium [overflow-wrap:anywhere]">{email ?? ANYONE}</span>,
    },
    { heading: "Plan", cell: ({ plan }) => formatPlan(plan) },
    { heading: "Created", cell: ({ createdAtMs }) => <Moment atMs={createdAtMs} nowMs={nowMs} /> },
    {
      heading: "Expires",
      cell: ({ state, expiresAtMs }) =>
        state === "used" ? <span className="text-dim">–</span> : <Moment atMs={expiresAtMs} nowMs={nowMs} />,
    },
    { heading: "State", cell: (invitation) => <InvitationState invitation={invitation} nowMs={nowMs} /> },
    createActionsColumn(({ id, email, state }) => (
      <ActionForm
        id={id}
        action={remove}
        submit={
          <>
            {state === "open" ? "Revoke" : "Remove"}
            <span className="sr-only"> the invitation for {email ?? ANYONE}</span>
          </>
        }
      />
    )),
  ];
  return (
    <Table
      caption="Invitations"
      columns={columns}
      rows={invitations}
      getKey={({ id }) => id}
      look="cards"
      headingClassName="border-t-0! text-xs12"
      rowProps={({ state }) => ({ "data-state": state, className: state === "open" ? undefined : "text-dim" })}
    />
  );
}

function InvitationState({ invitation, nowMs }: { invitation: Invitation; nowMs: number }) {
  const { id, state, usedAtMs } = invitation;
  return (
    <State look={state === "open" ? "good" : "off"}>
      {state === "used" ? (
        <Link href={`/operator/accounts/${id}`} className="underline underline-offset-4">
          used
        </Link>
      ) : (
        state
      )}{" "}
      {usedAtMs !== null && <Moment atMs={usedAtMs} nowMs={nowMs} />}
    </State>
  );
}
