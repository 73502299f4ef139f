import type { Metadata } from "next";
import { PageHeader } from "@/components/shell/page-header";
import { EmptyState } from "@/components/ui/empty-state";
import { AccountFilter, AccountTable, Pager, readAccountQuery } from "@/features/operator/account-table";
import { definePage } from "@/features/session/page-parts";
import { requireOperator } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";
import { formatCount } from "@/lib/text/text";

export const metadata: Metadata = { title: "Accounts" };

const PAGE_LENGTH = 50;

type SearchParams = Promise<Readonly<Record<string, string | string[] | undefined>>>;

/** All accounts, for the operator. The search is in the address, so it works without a script. */
export default definePage("Accounts", async function AccountsPage({ searchParams }: { searchParams: SearchParams }) {
  await requireOperator("/operator/accounts");
  const { overview, now } = await getRuntime();
  const { page, ...query } = readAccountQuery(await searchParams);
  const { lines, total } = await overview.accounts({ ...query, offset: (page - 1) * PAGE_LENGTH, limit: PAGE_LENGTH });
  const isFiltered = query.search !== "" || query.state !== undefined || query.plan !== undefined;
  return (
    <>
      <PageHeader title="Accounts">
        <p className="text-xs13 text-dim">
          {formatCount(total)} {isFiltered ? "found" : total === 1 ? "account" : "accounts"}
        </p>
      </PageHeader>
      <AccountFilter {...query} />
      {lines.length > 0 && <AccountTable lines={lines} nowMs={now()} />}
      {lines.length === 0 && (
        <EmptyState art="search" title={isFiltered ? "No account found" : "Nothing on this page"}>
          {isFiltered
            ? "Search for part of an e-mail address, or the beginning of an account’s id or of a key."
            : "The list of accounts has fewer pages."}
        </EmptyState>
      )}
      <Pager page={page} pages={Math.max(1, Math.ceil(total / PAGE_LENGTH))} path="/operator/accounts" query={query} />
    </>
  );
});
