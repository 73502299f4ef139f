import Link from "next/link";
import { Moment } from "@/components/shared/moment";
import { planLabel } from "@/components/shell/plan-label";
import { Badge } from "@/components/ui/badge";
import { AccountState } from "@/features/operator/account-state";
import type { AccountLine } from "@/lib/access/accounts/overview";

const number = new Intl.NumberFormat("en");

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
            <td data-label="Plan">{planLabel(plan)}</td>
            <td data-label="State">
              <AccountState suspendedAtMs={suspendedAtMs} nowMs={nowMs} />
            </td>
            <td data-label="Active keys" className="account-number">
              {number.format(activeKeys)}
              {keys > activeKeys && <span className="text-faint"> of {number.format(keys)}</span>}
            </td>
            <td data-label="Calls today" className="account-number">
              {number.format(callsToday)}
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
