import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { getButtonClass } from "@/components/ui/button";
import { EmptyState } from "@/components/ui/empty-state";
import { Link } from "@/components/ui/link";
import { AuditFilterForm } from "@/features/audit/audit-filter-form";
import { AuditList } from "@/features/audit/audit-list";
import { listEvents, readAuditLines } from "@/features/audit/data";
import { isFiltered, readAuditView, toAuditHref } from "@/features/audit/url";
import { toAddress } from "@/features/session/address";
import { definePage } from "@/features/session/page-parts";
import { requireAccount } from "@/features/session/session";

export const metadata: Metadata = { title: "Audit log" };

const PAGE_LENGTH = 100;

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The changes to accounts and keys. Operators see all of them, other accounts their own. */
export default definePage("Audit log", async function AuditPage({ searchParams }: Props) {
  const params = await searchParams;
  const account = await requireAccount(toAddress("/audit", params));
  const view = readAuditView(params);
  const events = await listEvents(view, account, PAGE_LENGTH);
  const last = events.length === PAGE_LENGTH ? events.at(-1) : undefined;
  return (
    <>
      <PageHeader title="Audit log">
        <a href={toAuditHref(view, "/audit/csv")} className={getButtonClass("secondary", "sm")} download>
          Download CSV
        </a>
      </PageHeader>
      <AuditFilterForm view={view} isOperator={account.role === "operator"} />
      {events.length > 0 ? (
        <AuditList caption="Changes to accounts and keys" lines={await readAuditLines(events, account)} />
      ) : isFiltered(view) || view.beforeSeq !== null ? (
        <EmptyState
          art="search"
          title="No change matches"
          action={
            <Link href="/audit" className={getButtonClass("secondary")}>
              Show all changes
            </Link>
          }
        >
          Days are UTC days. Choose a longer time, or search for less.
        </EmptyState>
      ) : (
        <EmptyState art="record" title="No changes yet">
          Changes to accounts and keys will appear here.
        </EmptyState>
      )}
      {last !== undefined && (
        <p className="px-4 py-4">
          <Link
            href={toAuditHref({ ...view, beforeSeq: last.seq })}
            className="text-accent-ink underline underline-offset-4"
          >
            Older
          </Link>
        </p>
      )}
    </>
  );
});
