import Link from "next/link";
import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { AccountState } from "@/features/operator/account-state";
import type { AccountLine } from "@/lib/access/accounts/overview";
import { formatPlan } from "@/lib/access/plan-text";
import { formatCount } from "@/lib/text/number";

/** Accounts, a line each. */
export function AccountTable({ lines, nowMs }: { lines: readonly AccountLine[]; nowMs: number }) {
  return (
    <table className="card-table account-table">
      <caption className="sr-only">Accounts</caption>
      <thead>
        <tr>
          <th scope="col">E-mail</th>
          <th scope="col">Plan</th>
          <th scope="col">State</th>
          <th scope="col" className="account-number" title="Keys that work">
            Active keys
          </th>
          <th scope="col" className="account-number" title="Answered since midnight UTC">
            Calls today
          </th>
          <th scope="col">Created</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ id, email, role, plan, suspendedAtMs, activeKeys, keys, callsToday, createdAtMs }) => (
          <tr key={id}>
            <th scope="row">
              <Link href={`/operator/accounts/${id}`} className="card-title underline-offset-4 hover:underline">
                {email}
              </Link>
              {role === "operator" && <Badge>operator</Badge>}
            </th>
            <td data-label="Plan">{formatPlan(plan)}</td>
            <td data-label="State">
              <AccountState suspendedAtMs={suspendedAtMs} nowMs={nowMs} />
            </td>
            <td data-label="Active keys" className="account-number">
              {formatCount(activeKeys)}
              {keys > activeKeys && <span className="text-faint"> of {formatCount(keys)}</span>}
            </td>
            <td data-label="Calls today" className="account-number">
              {formatCount(callsToday)}
            </td>
            <td data-label="Created">
              <Moment atMs={createdAtMs} nowMs={nowMs} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
