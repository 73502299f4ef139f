import type { Metadata } from "next";
import { Suspense } from "react";
import { MarketTime } from "@/components/shared/market-clock";
import { PageHeader } from "@/components/shell/page-header";
import { readIndicators } from "@/features/indicators/data";
import { IndicatorSkeleton } from "@/features/indicators/indicator-skeleton";
import { IndicatorView } from "@/features/indicators/indicator-view";
import { ViewTabs } from "@/features/indicators/view-tabs";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress, toSearch } from "@/features/session/address";
import { requireViewer } from "@/features/session/viewer";
import { SUMMARY_BARS } from "@/lib/analytics/summary";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Indicators" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The account is required before any part is sent, so that a visitor who is not signed in gets a redirect. */
export default async function IndicatorsPage({ searchParams }: Props) {
  const params = await searchParams;
  await requireViewer(toAddress("/indicators", params));
  return (
    <Suspense
      fallback={
        <>
          <PageHeader title="Indicators" />
          <IndicatorSkeleton />
        </>
      }
    >
      <Readings chosen={toSearch(params)} />
    </Suspense>
  );
}

async function Readings({ chosen }: { chosen: URLSearchParams }) {
  const runtime = await getRuntime();
  const instrument = runtime.resolver.find(chosen.get("symbol") ?? "") ?? instrumentBySymbol.get("EURUSD");
  if (instrument === undefined) throw new Error("EURUSD is missing from the catalogue");
  const timeframe = TIMEFRAMES.find((name) => name === chosen.get("timeframe")) ?? "H1";
  const data = await readIndicators(runtime, instrument, timeframe);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Indicators" runtime={runtime} />
      <ViewTabs current="symbol" />
      <IndicatorView name={instrument.name} initial={data} summaryBars={SUMMARY_BARS} />
    </MarketTime>
  );
}
