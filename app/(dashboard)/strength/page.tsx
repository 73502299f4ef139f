import { MarketTime } from "@/components/shared/market-clock";
import { MarketHeader } from "@/features/quotes/market-header";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage, readSoon } from "@/features/session/page-parts";
import { readStrength } from "@/features/strength/data";
import { StrengthView } from "@/features/strength/strength-view";
import { readStrengthChoice } from "@/features/strength/url";

export const generateMetadata = createMarketMetadata("Strength");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default definePage("Strength", async function StrengthPage({ searchParams }: Props) {
  const params = await searchParams;
  const { runtime, isPast, refusal } = await openMarketPage({ title: "Strength", path: "/strength", params });
  if (refusal !== null) return refusal;
  const choice = readStrengthChoice(params);
  const data = await readSoon(runtime, readStrength(runtime, choice.timeframe));
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())} isPast={isPast}>
      <MarketHeader title="Strength" runtime={runtime} />
      <StrengthView choice={choice} initial={data} />
    </MarketTime>
  );
});
