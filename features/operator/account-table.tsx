import { Moment } from "@/components/shared/moment";
import { Badge } from "@/components/ui/badge";
import { Link } from "@/components/ui/link";
import { type Column, Table } from "@/components/ui/table";
import { AccountState } from "@/features/operator/account-state";
import type { AccountLine } from "@/lib/access/accounts/account-search";
import { formatPlan } from "@/lib/access/plan-text";
import { formatCount } from "@/lib/text/text";

export function AccountTable({ lines, nowMs }: { lines: readonly AccountLine[]; nowMs: number }) {
  const columns: readonly Column<AccountLine>[] = [
    {
      heading: "E-mail",
      cell: ({ id, email, role }) => (
        <>
          <Link
            href={`/operator/accounts/${id}`}
            className="mr-2 font-medium underline-offset-4 [overflow-wrap:anywhere] hover:underline"
          >
            {email}
          </Link>
          {role === "operator" && <Badge>operator</Badge>}
        </>
      ),
    },
    { heading: "Plan", cell: ({ plan }) => formatPlan(plan) },
    { heading: "State", cell: ({ suspendedAtMs }) => <AccountState suspendedAtMs={suspendedAtMs} nowMs={nowMs} /> },
    {
      heading: "Active keys",
      tip: "Keys that can be used now",
      isNumeric: true,
      cell: ({ activeKeys, keys }) => (
        <>
          {formatCount(activeKeys)}
          {keys > activeKeys && <span className="text-faint"> of {formatCount(keys)}</span>}
        </>
      ),
    },
    {
      heading: "Calls today",
      tip: "Answered since midnight UTC",
      isNumeric: true,
      cell: ({ callsToday }) => formatCount(callsToday),
    },
    { heading: "Created", cell: ({ createdAtMs }) => <Moment atMs={createdAtMs} nowMs={nowMs} /> },
  ];
  return <Table caption="Accounts" columns={columns} rows={lines} getKey={({ id }) => id} look="cards" />;
}
