import { Suspense } from "react";
import { MarketTime } from "@/components/shared/market-clock";
import { PageHeader } from "@/components/shell/page-header";
import { readIndicators, readOwnNames } from "@/features/indicators/data";
import { IndicatorSkeleton } from "@/features/indicators/indicator-skeleton";
import { IndicatorView } from "@/features/indicators/indicator-view";
import { ViewTabs } from "@/features/indicators/view-tabs";
import { MarketHeader } from "@/features/quotes/market-header";
import { toSearch } from "@/features/session/address";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";
import { SUMMARY_BARS } from "@/lib/analytics/summary";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import type { Runtime } from "@/lib/runtime";

export const generateMetadata = createMarketMetadata("Indicators");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** The account is required before any part is sent, so that a visitor who is not signed in gets a redirect. */
export default definePage("Indicators", async function IndicatorsPage({ searchParams }: Props) {
  const params = await searchParams;
  const { runtime, isPast, refusal } = await openMarketPage({ title: "Indicators", path: "/indicators", params });
  if (refusal !== null) return refusal;
  return (
    <Suspense
      fallback={
        <>
          <PageHeader title="Indicators" />
          <IndicatorSkeleton />
        </>
      }
    >
      <Readings {...{ runtime, isPast }} chosen={toSearch(params)} />
    </Suspense>
  );
});

interface ReadingsProps {
  runtime: Runtime;
  isPast: boolean;
  chosen: URLSearchParams;
}

const Readings = definePage("Indicators", async ({ runtime, isPast, chosen }: ReadingsProps) => {
  const instrument = runtime.resolver.find(chosen.get("symbol") ?? "") ?? instrumentBySymbol.get("EURUSD");
  if (instrument === undefined) throw new Error("EURUSD is missing from the catalogue");
  const timeframe = TIMEFRAMES.find((name) => name === chosen.get("timeframe")) ?? "H1";
  const data = await readIndicators(runtime, instrument, timeframe, readOwnNames(chosen.get("indicators") ?? ""));
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())} isPast={isPast}>
      <MarketHeader title="Indicators" runtime={runtime} />
      <ViewTabs current="symbol" />
      <IndicatorView name={instrument.name} initial={data} summaryBars={SUMMARY_BARS} />
    </MarketTime>
  );
});
