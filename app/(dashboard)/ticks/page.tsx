import { Suspense } from "react";
import { MarketTime } from "@/components/shared/market-clock";
import { PageHeader } from "@/components/shell/page-header";
import { MarketHeader } from "@/features/quotes/market-header";
import { toSearch } from "@/features/session/address";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";
import { ChartSkeleton } from "@/features/ticks/chart-skeleton";
import { readHistory, readHistoryQuery } from "@/features/ticks/data";
import { HistoryView } from "@/features/ticks/history-view";
import type { Account } from "@/lib/access/accounts/account";
import type { Runtime } from "@/lib/runtime";

export const generateMetadata = createMarketMetadata("Ticks & bars");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The account is required before any part is sent, so that a visitor who is not signed in gets a redirect. */
export default definePage("Ticks & bars", async function TicksPage({ searchParams }: Props) {
  const params = await searchParams;
  const market = await openMarketPage({ title: "Ticks & bars", path: "/ticks", params });
  if (market.refusal !== null) return market.refusal;
  return (
    <Suspense
      fallback={
        <>
          <PageHeader title="Ticks & bars" />
          <ChartSkeleton />
        </>
      }
    >
      <History {...market} chosen={toSearch(params)} />
    </Suspense>
  );
});

interface HistoryProps {
  account: Account;
  runtime: Runtime;
  isPast: boolean;
  chosen: URLSearchParams;
}

const History = definePage("Ticks & bars", async ({ account, runtime, isPast, chosen }: HistoryProps) => {
  const query = readHistoryQuery(chosen, runtime.resolver) ?? readHistoryQuery(new URLSearchParams(), runtime.resolver);
  if (query === null) throw new Error("EURUSD is missing from the catalogue");
  const data = await readHistory(runtime, account, query);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())} isPast={isPast}>
      <MarketHeader title="Ticks & bars" runtime={runtime} />
      <HistoryView
        name={query.instrument.name}
        kind={query.kind}
        fromMs={query.fromMs}
        resolution={query.resolution}
        initial={data}
      />
    </MarketTime>
  );
});
