import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { listedIndicators, readScreener } from "@/features/indicators/screener-data";
import { readScreenerChoice } from "@/features/indicators/screener-url";
import { ScreenerView } from "@/features/indicators/screener-view";
import { ViewTabs } from "@/features/indicators/view-tabs";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress } from "@/features/session/address";
import { requireViewer } from "@/features/session/viewer";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Screener" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function ScreenerPage({ searchParams }: Props) {
  const params = await searchParams;
  await requireViewer(toAddress("/indicators/screener", params));
  const runtime = await getRuntime();
  const choice = readScreenerChoice(
    params,
    listedIndicators.map(({ name }) => name),
  );
  const data = await readScreener(runtime, choice);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Screener" runtime={runtime} />
      <ViewTabs current="screener" />
      <ScreenerView choice={choice} indicators={listedIndicators} initial={data} />
    </MarketTime>
  );
}
