import { MarketTime } from "@/components/shared/market-clock";
import {
  describeIndicator,
  explainUnknown,
  isIndicator,
  readScreener,
  suggestedIndicators,
} from "@/features/indicators/screener-data";
import { findUnknownIndicator, readScreenerChoice } from "@/features/indicators/screener-url";
import { ScreenerView } from "@/features/indicators/screener-view";
import { ViewTabs } from "@/features/indicators/view-tabs";
import { MarketHeader } from "@/features/quotes/market-header";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";

export const generateMetadata = createMarketMetadata("Screener");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default definePage("Screener", async function ScreenerPage({ searchParams }: Props) {
  const params = await searchParams;
  const market = await openMarketPage({ title: "Screener", path: "/indicators/screener", params });
  const { runtime, isPast, refusal } = market;
  if (refusal !== null) return refusal;
  const choice = readScreenerChoice(params, isIndicator);
  const unknown = findUnknownIndicator(params, isIndicator);
  const data = await readScreener(runtime, choice);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())} isPast={isPast}>
      <MarketHeader title="Screener" runtime={runtime} />
      <ViewTabs current="screener" />
      <ScreenerView
        choice={choice}
        indicators={suggestedIndicators}
        chosen={describeIndicator(choice.indicator)}
        problem={unknown === null ? null : explainUnknown(unknown)}
        initial={data}
      />
    </MarketTime>
  );
});
