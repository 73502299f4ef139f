import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress } from "@/features/session/address";
import { requireAccount } from "@/features/session/session";
import { readStrength } from "@/features/strength/data";
import { StrengthView } from "@/features/strength/strength-view";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmaps";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Strength" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function StrengthPage({ searchParams }: Props) {
  const params = await searchParams;
  await requireAccount(toAddress("/strength", params));
  const timeframe = HEATMAP_TIMEFRAMES.find((each) => each === params.timeframe);
  const runtime = await getRuntime();
  const data = await readStrength(runtime, timeframe ?? "H4");
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Strength" runtime={runtime} />
      <StrengthView timeframes={HEATMAP_TIMEFRAMES} initial={data} />
    </MarketTime>
  );
}
