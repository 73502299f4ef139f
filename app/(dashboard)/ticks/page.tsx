import type { Metadata } from "next";
import { Suspense } from "react";
import { MarketTime } from "@/components/shared/market-clock";
import { PageHeader } from "@/components/shell/page-header";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress, toSearch } from "@/features/session/address";
import { requireViewer } from "@/features/session/viewer";
import { ChartSkeleton } from "@/features/ticks/chart-skeleton";
import { readHistory, readHistoryQuery } from "@/features/ticks/data";
import { HistoryView } from "@/features/ticks/history-view";
import type { Account } from "@/lib/access/accounts/account";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Ticks & bars" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The account is required before any part is sent, so that a visitor who is not signed in gets a redirect. */
export default async function TicksPage({ searchParams }: Props) {
  const params = await searchParams;
  const account = await requireViewer(toAddress("/ticks", params));
  return (
    <Suspense
      fallback={
        <>
          <PageHeader title="Ticks & bars" />
          <ChartSkeleton />
        </>
      }
    >
      <History account={account} chosen={toSearch(params)} />
    </Suspense>
  );
}

async function History({ account, chosen }: { account: Account; chosen: URLSearchParams }) {
  const runtime = await getRuntime();
  const query = readHistoryQuery(chosen, runtime.resolver) ?? readHistoryQuery(new URLSearchParams(), runtime.resolver);
  if (query === null) throw new Error("EURUSD is missing from the catalogue");
  const data = await readHistory(runtime, account, query);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Ticks & bars" runtime={runtime} />
      <HistoryView name={query.instrument.name} kind={query.kind} fromMs={query.fromMs} initial={data} />
    </MarketTime>
  );
}
