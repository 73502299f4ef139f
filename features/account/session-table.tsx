import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { type Column, createActionsColumn, Table } from "@/components/ui/table";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { AccountSession } from "@/lib/access/sign-in/account-sessions";

interface SessionTableProps {
  sessions: readonly AccountSession[];
  /** The id of the session in which this page is shown. */
  ownId: string;
  nowMs: number;
  revoke: FormAction;
}

/** The browsers in which an account is signed in. */
export function SessionTable({ sessions, ownId, nowMs, revoke }: SessionTableProps) {
  const columns: readonly Column<AccountSession>[] = [
    {
      heading: "Browser",
      cell: ({ id, browser }) => (
        <>
          {browser} {id === ownId && <Badge>this browser</Badge>}
        </>
      ),
    },
    { heading: "From", cell: ({ address }) => <span className="numerals">{address ?? "not known"}</span> },
    {
      heading: "Last seen",
      tip: "Accurate to the minute",
      cell: ({ lastSeenAtMs }) => <Moment atMs={lastSeenAtMs} nowMs={nowMs} />,
    },
    { heading: "Signed in", cell: ({ createdAtMs }) => <Moment atMs={createdAtMs} nowMs={nowMs} /> },
    { heading: "Expires", cell: ({ expiresAtMs }) => <Moment atMs={expiresAtMs} nowMs={nowMs} /> },
    createActionsColumn(
      ({ id, browser, address }) =>
        id !== ownId && (
          <ActionForm
            id={id}
            action={revoke}
            size="sm"
            submit={
              <>
                Sign out
                <span className="sr-only">
                  {" "}
                  {browser}, seen from {address ?? "an unknown address"}
                </span>
              </>
            }
          />
        ),
    ),
  ];
  return (
    <Table
      caption="Browsers that are signed in"
      columns={columns}
      rows={sessions}
      getKey={({ id }) => id}
      look="cards"
    />
  );
}
