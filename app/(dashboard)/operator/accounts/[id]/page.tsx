import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ListPart } from "@/components/ui/page-part";
import { AuditList } from "@/features/audit/audit-list";
import { readAuditLines } from "@/features/audit/data";
import { issueFormTicket } from "@/features/forms/define-action";
import { AccountSteps, UseTable } from "@/features/operator/account-steps";
import { AccountSummary } from "@/features/operator/account-table";
import { closeAccount, resumeAccount, setLimits, setPlan, suspendAccount } from "@/features/operator/actions";
import { formatLimit } from "@/features/operator/limits";
import { OwnedKeyTable } from "@/features/operator/owned-key-table";
import { definePage } from "@/features/session/page-parts";
import { requireOperator } from "@/features/session/session";
import { isConfirmed } from "@/features/session/session";
import { getEntitlements } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Account" };

const HISTORY_LENGTH = 50;

/** One account and the forms with which the operator changes it. Each part works without a script. */
export default definePage("Account", async function AccountPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const operator = await requireOperator(`/operator/accounts/${id}`);
  const runtime = await getRuntime();
  const account = await runtime.accounts.find(id);
  if (account === null) notFound();
  const nowMs = runtime.now();
  const keys = await runtime.keys.list(id);
  const uses = await runtime.overview.today(id);
  const events = await runtime.audit.list({ accountId: id, limit: HISTORY_LENGTH });
  const ticket = await issueFormTicket();
  const steps = {
    setPlan: setPlan.bind(null, ticket),
    setLimits: setLimits.bind(null, ticket),
    suspend: suspendAccount.bind(null, ticket),
    resume: resumeAccount.bind(null, ticket),
    close: closeAccount.bind(null, ticket),
  };
  const limits = { perMinute: formatLimit(account.perMinuteLimit), perDay: formatLimit(account.perDayLimit) };
  return (
    <>
      <PageHeader title={account.email}>
        <Link href={`/usage/requests?account=${id}`} className={getButtonClass("quiet")}>
          Request log
        </Link>
        <Link href="/operator/accounts" className="text-dim underline-offset-4 hover:underline">
          All accounts
        </Link>
      </PageHeader>
      <AccountSummary account={account} uses={uses} nowMs={nowMs} />
      <div className="2xl:grid 2xl:grid-cols-[3fr_2fr] 2xl:*:last:border-l">
        <ListPart titleId="keys-title" title="Keys">
          {keys.length > 0 && <OwnedKeyTable keys={keys.map((key) => ({ ...key, ownerEmail: null }))} nowMs={nowMs} />}
          {keys.length === 0 && <p className="px-4 text-xs13 text-dim">This account has no keys yet.</p>}
        </ListPart>
        <ListPart titleId="use-title" title="Calls today, since midnight UTC">
          {uses.length > 0 && <UseTable uses={uses} />}
          {uses.length === 0 && <p className="px-4 text-xs13 text-dim">None so far.</p>}
        </ListPart>
      </div>
      <AccountSteps
        account={account}
        isOwn={account.id === operator.id}
        confirmed={await isConfirmed(operator.id)}
        hasPassword={operator.hasPassword}
        steps={steps}
        limits={limits}
        planLimits={getEntitlements(account.plan, "standard")}
      />
      <ListPart titleId="history-title" title="History">
        <AuditList caption="Events of this account" lines={await readAuditLines(events, operator)} />
      </ListPart>
    </>
  );
});
