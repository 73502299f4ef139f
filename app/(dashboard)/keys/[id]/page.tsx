import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { ListPart, PageParts } from "@/components/ui/page-part";
import { AuditList } from "@/features/audit/audit-list";
import { readAuditLines } from "@/features/audit/data";
import { issueFormTicket } from "@/features/forms/define-action";
import {
  checkAddresses,
  createLink,
  disableKey,
  editKey,
  enableKey,
  restoreKey,
  revokeKey,
  revokeLink,
  rotateKey,
} from "@/features/keys/actions";
import { readKindTerms, readScopeGuides } from "@/features/keys/data";
import { writeKeyForm } from "@/features/keys/form-values";
import { KeyForm } from "@/features/keys/key-form";
import { listLinkTargets, readLinks } from "@/features/keys/key-link-data";
import { KeyLinkList, NewKeyLink } from "@/features/keys/key-links";
import { KeySteps } from "@/features/keys/key-steps";
import { KeySummary } from "@/features/keys/key-summary";
import { KeyUsage } from "@/features/keys/key-usage";
import { RotateKey } from "@/features/keys/rotate-key";
import { readLifetime } from "@/features/keys/types";
import { definePage } from "@/features/session/page-parts";
import { isConfirmed, requireAccount } from "@/features/session/session";
import { readAllowedAddress } from "@/features/session/visitor";
import { readUsage, type UsagePeriod } from "@/lib/access/usage/usage-report";
import { getRuntime } from "@/lib/runtime";
import { formatRelativeTime } from "@/lib/time/duration";

export const metadata: Metadata = { title: "API key" };

const HISTORY_LENGTH = 50;

/** One key and the forms that change it. Each part works without a script. */
export default definePage("API key", async function KeyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const account = await requireAccount(`/keys/${id}`);
  const runtime = await getRuntime();
  const keys = await runtime.keys.list(account.id);
  const key = keys.find((each) => each.id === id);
  if (key === undefined) notFound();
  const nowMs = runtime.now();
  const [ticket, confirmed] = await Promise.all([issueFormTicket(), isConfirmed(account.id)]);
  const isUsable = key.state === "active" || key.state === "disabled";
  const events = await runtime.audit.list({ keyId: id, limit: HISTORY_LENGTH });
  const readPeriod = (period: UsagePeriod) =>
    readUsage(runtime.database.pool, { accountId: account.id, keyId: id, period }, nowMs);
  const ends = key.expiresAtMs === null ? "never" : formatRelativeTime(key.expiresAtMs, nowMs);
  const { maxKeyLifetimeDays } = runtime.config;
  return (
    <>
      <PageHeader title={key.label}>
        <Link href={`/usage/requests?key=${id}`} className={getButtonClass("quiet")}>
          Request log
        </Link>
        <Link href="/keys" className="text-dim underline-offset-4 hover:underline">
          All keys
        </Link>
      </PageHeader>
      <KeySummary
        apiKey={key}
        nowMs={nowMs}
        replaces={keys.find((each) => each.id === key.replacesId)}
        replacedBy={keys.find((each) => each.id === key.replacedById)}
        maxLifetimeDays={maxKeyLifetimeDays}
      />
      <KeyUsage keyId={id} day={await readPeriod("24h")} month={await readPeriod("30d")} />
      {isUsable && (
        <KeyForm
          action={editKey.bind(null, ticket)}
          checkAddresses={checkAddresses}
          {...readScopeGuides(runtime)}
          kinds={readKindTerms(account)}
          confirmed={confirmed}
          ownAddress={await readAllowedAddress()}
          today={new Date(nowMs).toISOString().slice(0, 10)}
          lifetime={readLifetime(maxKeyLifetimeDays, key.createdAtMs, nowMs)}
          edited={{ id, values: writeKeyForm(key), ends }}
        />
      )}
      <KeyLinkList links={await readLinks(runtime, id)} nowMs={nowMs} revoke={revokeLink.bind(null, ticket)} />
      <PageParts>
        {isUsable && (
          <NewKeyLink
            keyId={id}
            targets={listLinkTargets(runtime)}
            confirmed={confirmed}
            create={createLink.bind(null, ticket)}
          />
        )}
        <RotateKey
          id={id}
          action={rotateKey.bind(null, ticket)}
          confirmed={confirmed}
          maxLifetimeDays={maxKeyLifetimeDays}
          possible={isUsable && key.replacedById === null && !key.disabledByOperator}
        />
        <KeySteps
          apiKey={key}
          actions={{
            restore: restoreKey.bind(null, ticket),
            disable: disableKey.bind(null, ticket),
            enable: enableKey.bind(null, ticket),
            revoke: revokeKey.bind(null, ticket),
          }}
          confirmed={confirmed}
          by="owner"
        />
      </PageParts>
      <ListPart titleId="history-title" title="History">
        <AuditList caption="Events of this key" lines={await readAuditLines(events, account)} />
      </ListPart>
    </>
  );
});
