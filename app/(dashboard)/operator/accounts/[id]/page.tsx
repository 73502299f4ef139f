import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { auditLines } from "@/features/audit/audit-lines";
import { AuditList } from "@/features/audit/audit-list";
import { formTicket } from "@/features/forms/form-ticket";
import { closeAccount, resumeAccount, setLimits, setPlan, suspendAccount } from "@/features/operator/account-actions";
import { AccountSteps } from "@/features/operator/account-steps";
import { AccountSummary } from "@/features/operator/account-summary";
import { limitText } from "@/features/operator/limits";
import { requireOperator } from "@/features/operator/operator";
import { OwnedKeyTable } from "@/features/operator/owned-key-table";
import { UseTable } from "@/features/operator/use-table";
import { isConfirmed } from "@/features/session/session";
import { getEntitlements } from "@/lib/access/plans";
import { getRuntime } from "@/lib/runtime";

import "@/components/ui/records.css";
import "@/features/keys/keys.css";
import "@/features/operator/operator.css";

export const metadata: Metadata = { title: "Account" };

const HISTORY_LENGTH = 50;

/** One account, and everything the operator can do with it. Each part is a form that works without a script. */
export default async function AccountPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const operator = await requireOperator(`/operator/accounts/${id}`);
  const runtime = await getRuntime();
  const account = await runtime.accounts.find(id);
  if (account === null) notFound();
  const nowMs = runtime.now();
  const keys = await runtime.keys.list(id);
  const uses = await runtime.overview.today(id);
  const events = await runtime.audit.list({ accountId: id, limit: HISTORY_LENGTH });
  const ticket = await formTicket();
  const steps = {
    setPlan: setPlan.bind(null, ticket),
    setLimits: setLimits.bind(null, ticket),
    suspend: suspendAccount.bind(null, ticket),
    resume: resumeAccount.bind(null, ticket),
    close: closeAccount.bind(null, ticket),
  };
  const limits = { perMinute: limitText(account.perMinuteLimit), perDay: limitText(account.perDayLimit) };
  return (
    <>
      <PageHeader title={account.email}>
        <Link href="/operator/accounts" className="text-dim underline-offset-4 hover:underline">
          All accounts
        </Link>
      </PageHeader>
      <AccountSummary account={account} uses={uses} nowMs={nowMs} />
      <section aria-labelledby="keys-title" className="key-history">
        <h2 id="keys-title">Keys</h2>
        {keys.length > 0 && <OwnedKeyTable keys={keys.map((key) => ({ ...key, ownerEmail: null }))} nowMs={nowMs} />}
        {keys.length === 0 && <p className="px-4 text-[0.8125rem] text-dim">This account has made no key yet.</p>}
      </section>
      <section aria-labelledby="use-title" className="key-history">
        <h2 id="use-title">Calls today, since midnight UTC</h2>
        {uses.length > 0 && <UseTable uses={uses} />}
        {uses.length === 0 && <p className="px-4 text-[0.8125rem] text-dim">None so far.</p>}
      </section>
      <AccountSteps
        account={account}
        isOwn={account.id === operator.id}
        confirmed={!operator.hasPassword && (await isConfirmed(operator.id))}
        steps={steps}
        limits={limits}
        planLimits={getEntitlements(account.plan, "standard")}
      />
      <section aria-labelledby="history-title" className="key-history">
        <h2 id="history-title">History</h2>
        <AuditList caption="What was done to this account, or by it" lines={await auditLines(events, operator)} />
      </section>
    </>
  );
}
