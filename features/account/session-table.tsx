import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import type { SessionAction } from "@/features/account/account-action";
import { SessionStep } from "@/features/account/session-step";
import type { AccountSession } from "@/lib/access/sign-in/account-sessions";

interface SessionTableProps {
  sessions: readonly AccountSession[];
  /** The id of the session this page is shown in. */
  ownId: string;
  nowMs: number;
  revoke: SessionAction;
}

/** The browsers in which an account is signed in. */
export function SessionTable({ sessions, ownId, nowMs, revoke }: SessionTableProps) {
  return (
    <table className="card-table">
      <caption className="sr-only">Browsers that are signed in</caption>
      <thead>
        <tr>
          <th scope="col">Browser</th>
          <th scope="col">From</th>
          <th scope="col" title="To the minute.">
            Last seen
          </th>
          <th scope="col">Signed in</th>
          <th scope="col">Ends</th>
          <th scope="col">
            <span className="sr-only">Actions</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {sessions.map(({ id, browser, address, lastSeenAtMs, createdAtMs, expiresAtMs }) => (
          <tr key={id}>
            <th scope="row">
              {browser} {id === ownId && <Badge>this one</Badge>}
            </th>
            <td data-label="From">
              <span className="numerals">{address ?? "not known"}</span>
            </td>
            <td data-label="Last seen">
              <Moment atMs={lastSeenAtMs} nowMs={nowMs} />
            </td>
            <td data-label="Signed in">
              <Moment atMs={createdAtMs} nowMs={nowMs} />
            </td>
            <td data-label="Ends">
              <Moment atMs={expiresAtMs} nowMs={nowMs} />
            </td>
            <td className="card-actions">
              {id !== ownId && (
                <SessionStep id={id} action={revoke}>
                  Sign out
                  <span className="sr-only">
                    {" "}
                    {browser}, seen from {address ?? "an unknown address"}
                  </span>
                </SessionStep>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
