import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { Figure } from "@/components/ui/figure";
import { type Column, createActionsColumn, Table } from "@/components/ui/table";
import { revokeOtherSessions, revokeSession } from "@/features/account/actions";
import { ActionForm } from "@/features/forms/action-form";
import type { FormAction } from "@/features/forms/action-state";
import type { AccountSession } from "@/lib/access/sign-in/account-sessions";

interface SessionsPartProps {
  sessions: readonly AccountSession[];
  /** The id of the session in which this page is shown. */
  ownId: string;
  nowMs: number;
  ticket: string;
}

/** The account's sessions, with buttons to sign out one of them or all others. */
export function SessionsPart({ sessions, ownId, nowMs, ticket }: SessionsPartProps) {
  return (
    <section
      aria-labelledby="sessions-title"
      className="[&_tbody_tr:last-child]:border-b-0 wide:[&_tbody_tr:last-child>*]:border-b-0"
    >
      <div className="mb-3 flex flex-wrap items-end justify-between gap-x-6 gap-y-2 px-4 max-md:px-3">
        <div>
          <h2 id="sessions-title" className="font-medium">
            Where you are signed in
          </h2>
          <p className="mt-1 text-xs13 text-dim">
            Sign out any browser that you do not recognize, then change your password. Both take effect immediately.
          </p>
        </div>
        {sessions.length > 1 && (
          <ActionForm action={revokeOtherSessions.bind(null, ticket)} submit="Sign out all others" size="sm" />
        )}
      </div>
      <SessionTable sessions={sessions} ownId={ownId} nowMs={nowMs} revoke={revokeSession.bind(null, ticket)} />
    </section>
  );
}

interface SessionTableProps {
  sessions: readonly AccountSession[];
  /** The id of the session in which this page is shown. */
  ownId: string;
  nowMs: number;
  revoke: FormAction;
}

/** The browsers in which an account is signed in. */
function SessionTable({ sessions, ownId, nowMs, revoke }: SessionTableProps) {
  const columns: readonly Column<AccountSession>[] = [
    {
      heading: "Browser",
      cell: ({ id, browser }) => (
        <>
          {browser} {id === ownId && <Badge>this browser</Badge>}
        </>
      ),
    },
    { heading: "From", cell: ({ address }) => <Figure>{address ?? "not known"}</Figure> },
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
