import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ListPart, PageParts } from "@/components/ui/page-part";
import { AuditList } from "@/features/audit/audit-list";
import { readAuditLines } from "@/features/audit/data";
import { issueFormTicket } from "@/features/forms/define-action";
import { KeySteps } from "@/features/keys/key-steps";
import { KeySummary } from "@/features/keys/key-summary";
import { disableAnyKey, enableAnyKey, restoreAnyKey, revokeAnyKey } from "@/features/operator/actions";
import { definePage } from "@/features/session/page-parts";
import { requireOperator } from "@/features/session/session";
import { isConfirmed } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Key" };

const HISTORY_LENGTH = 50;

/** A key of any account, for operators: its owner and the forms that disable or revoke it. */
export default definePage("Key", async function AnyKeyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const operator = await requireOperator(`/operator/keys/${id}`);
  const runtime = await getRuntime();
  const key = await runtime.overview.key(id);
  if (key === null) notFound();
  const nowMs = runtime.now();
  const ticket = await issueFormTicket();
  const siblings = await runtime.keys.list(key.accountId);
  const events = await runtime.audit.list({ keyId: id, limit: HISTORY_LENGTH });
  return (
    <>
      <PageHeader title={key.label}>
        <Link href={`/usage/requests?account=${key.accountId}&key=${id}`} className={getButtonClass("quiet")}>
          Request log
        </Link>
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
        maxLifetimeDays={runtime.config.maxKeyLifetimeDays}
        base="/operator/keys"
      />
      <PageParts>
        <KeySteps
          apiKey={key}
          actions={{
            restore: restoreAnyKey.bind(null, ticket),
            disable: disableAnyKey.bind(null, ticket),
            enable: enableAnyKey.bind(null, ticket),
            revoke: revokeAnyKey.bind(null, ticket),
          }}
          confirmed={await isConfirmed(operator.id)}
          by="operator"
        />
      </PageParts>
      <ListPart titleId="history-title" title="History">
        <AuditList caption="Events of this key" lines={await readAuditLines(events, operator)} />
      </ListPart>
    </>
  );
});
