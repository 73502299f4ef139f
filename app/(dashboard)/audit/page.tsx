import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { AuditList } from "@/features/audit/audit-list";
import { readAuditLines } from "@/features/audit/data";
import { requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Audit log" };

const PAGE_LENGTH = 100;

/** The changes to accounts and keys. Operators see all of them, other accounts their own. */
export default async function AuditPage({ searchParams }: { searchParams: Promise<{ before?: string | string[] }> }) {
  const account = await requireAccount("/audit");
  const { audit } = await getRuntime();
  const before = Number((await searchParams).before);
  const beforeSeq = Number.isSafeInteger(before) && before > 0 ? before : undefined;
  const accountId = account.role === "operator" ? undefined : account.id;
  const events = await audit.list({ accountId, beforeSeq, limit: PAGE_LENGTH });
  const last = events.length === PAGE_LENGTH ? events.at(-1) : undefined;
  return (
    <>
      <PageHeader title="Audit log">
        <a href="/audit/csv" className={getButtonClass("secondary", "sm")} download>
          Download CSV
        </a>
      </PageHeader>
      {events.length === 0 ? (
        <EmptyState title="No changes yet">Changes to accounts and keys will appear here.</EmptyState>
      ) : (
        <AuditList caption="Changes to accounts and keys" lines={await readAuditLines(events, account)} />
      )}
      {last !== undefined && (
        <p className="px-4 py-4">
          <Link href={`/audit?before=${last.seq}`} className="text-accent-ink underline underline-offset-4">
            Older
          </Link>
        </p>
      )}
    </>
  );
}
