import { Moment } from "@/components/shared/moment";
import { Fact, Facts } from "@/components/ui/facts";
import { AccountState } from "@/features/operator/account-state";
import type { EndpointUse } from "@/lib/access/accounts/account-search";
import type { Account } from "@/lib/access/accounts/accounts";
import { formatPlan } from "@/lib/access/plan-text";
import { formatCount } from "@/lib/text/text";

interface AccountSummaryProps {
  account: Account;
  /** Its calls today. */
  uses: readonly EndpointUse[];
  nowMs: number;
}

/** The facts of an account now. */
export function AccountSummary({ account, uses, nowMs }: AccountSummaryProps) {
  const { id, role, plan, trialEndsAtMs, suspendedAtMs, suspendedReason, createdAtMs } = account;
  const sum = (pick: (use: EndpointUse) => number) => formatCount(uses.reduce((total, use) => total + pick(use), 0));
  return (
    <Facts>
      <Fact name="State">
        <AccountState suspendedAtMs={suspendedAtMs} nowMs={nowMs} />
        {suspendedReason !== null && <span className="block text-dim">{suspendedReason}</span>}
      </Fact>
      <Fact name="Plan">
        {formatPlan(plan)}
        {trialEndsAtMs !== null && (
          <span className="text-dim">
            , ends <Moment atMs={trialEndsAtMs} nowMs={nowMs} />
          </span>
        )}
      </Fact>
      <Fact name="Role">{role}</Fact>
      <Fact name="Calls today">
        <span className="numerals">{sum(({ calls }) => calls)}</span>
        <span className="text-dim">
          , {sum(({ refused }) => refused)} refused, {sum(({ credits }) => credits)} credits
        </span>
      </Fact>
      <Fact name="Created">
        <Moment atMs={createdAtMs} nowMs={nowMs} />
      </Fact>
      <Fact name="Id">
        <code className="numerals text-xs12 [overflow-wrap:anywhere]">{id}</code>
      </Fact>
    </Facts>
  );
}
