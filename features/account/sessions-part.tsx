import { revokeOtherSessions, revokeSession } from "@/features/account/actions";
import { SessionTable } from "@/features/account/session-table";
import { ActionForm } from "@/features/forms/action-form";
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
    <section aria-labelledby="sessions-title">
      <h2 id="sessions-title" className="mx-4 font-medium">
        Where you are signed in
      </h2>
      <p className="mx-4 mt-1 mb-3 max-w-prose text-xs13 text-dim">
        Sign out any browser that you do not recognize, then change your password. Both take effect immediately.
      </p>
      {/* As wide as the parts below, of which the first has a line above. */}
      <div className="max-w-5xl [&_tbody_tr:last-child]:border-b-0 wide:[&_tbody_tr:last-child>*]:border-b-0">
        <SessionTable sessions={sessions} ownId={ownId} nowMs={nowMs} revoke={revokeSession.bind(null, ticket)} />
      </div>
      {sessions.length > 1 && (
        <div className="px-4 py-4">
          <ActionForm action={revokeOtherSessions.bind(null, ticket)} submit="Sign out all others" size="sm" />
        </div>
      )}
    </section>
  );
}
