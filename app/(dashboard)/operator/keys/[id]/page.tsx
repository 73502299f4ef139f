import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { auditLines } from "@/app/(dashboard)/audit/audit-lines";
import { disableAnyKey, enableAnyKey, restoreAnyKey, revokeAnyKey } from "@/app/(dashboard)/operator/key-actions";
import { requireOperator } from "@/app/(dashboard)/operator/operator";
import { formTicket } from "@/app/form-ticket";
import { isConfirmed } from "@/app/session";
import { AuditList } from "@/components/keys/audit-list";
import { KeyStep } from "@/components/keys/key-step";
import { KeySummary } from "@/components/keys/key-summary";
import { PageHeader } from "@/components/shell/page-header";
import { getRuntime } from "@/lib/runtime";
import "@/components/keys/keys.css";

export const metadata: Metadata = { title: "Key" };

const HISTORY_LENGTH = 50;

/** Anybody's key, for the operator: whose it is, and the means to stop it. */
export default async function AnyKeyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const operator = await requireOperator(`/operator/keys/${id}`);
  const runtime = await getRuntime();
  const key = await runtime.overview.key(id);
  if (key === null) notFound();
  const nowMs = runtime.now();
  const ticket = await formTicket();
  const siblings = await runtime.keys.list(key.accountId);
  const events = await runtime.audit.list({ keyId: id, limit: HISTORY_LENGTH });
  const isLiving = key.state === "active" || key.state === "disabled";
  return (
    <>
      <PageHeader title={key.label}>
        <Link
          href={`/operator/accounts/${key.accountId}`}
          className="text-accent-ink underline underline-offset-4 [overflow-wrap:anywhere]"
        >
          {key.ownerEmail}
        </Link>
      </PageHeader>
      <KeySummary
        apiKey={key}
        nowMs={nowMs}
        replaces={siblings.find((each) => each.id === key.replacesId)}
        replacedBy={siblings.find((each) => each.id === key.replacedById)}
        base="/operator/keys"
      />
      {key.restorableUntilMs !== null && (
        <section aria-labelledby="restore-title" className="key-part">
          <h2 id="restore-title">Undo the revocation</h2>
          <p>Every call is refused. For 15 minutes after the revocation the key can be had back as it was.</p>
          <KeyStep id={id} action={restoreAnyKey.bind(null, ticket)}>
            Undo
          </KeyStep>
        </section>
      )}
      {isLiving && (
        <>
          <section aria-labelledby="pause-title" className="key-part">
            <h2 id="pause-title">{key.state === "active" ? "Disable" : "Enable"}</h2>
            <p>
              {key.state === "active"
                ? "Every call is refused with API_KEY_DISABLED. The owner can enable the key again; suspend the account where that must not be."
                : "The key works again, as it did before it was disabled."}
            </p>
            <KeyStep
              key={key.state}
              id={id}
              action={(key.state === "active" ? disableAnyKey : enableAnyKey).bind(null, ticket)}
            >
              {key.state === "active" ? "Disable key" : "Enable key"}
            </KeyStep>
          </section>
          <section aria-labelledby="revoke" className="key-part">
            <h2 id="revoke">Revoke</h2>
            <p>Every call is refused from that moment on. This can be undone for 15 minutes; then it is final.</p>
            <KeyStep
              id={id}
              action={revokeAnyKey.bind(null, ticket)}
              look="danger"
              confirmed={await isConfirmed(operator.id)}
            >
              Revoke key
            </KeyStep>
          </section>
        </>
      )}
      <section aria-labelledby="history-title" className="key-history">
        <h2 id="history-title">History</h2>
        <AuditList caption="What became of this key" lines={await auditLines(events, operator)} />
      </section>
    </>
  );
}
