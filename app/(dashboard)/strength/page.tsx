import type { Metadata } from "next";
import { MarketHeader } from "@/app/(dashboard)/market-header";
import { readSheet } from "@/app/(dashboard)/strength/sheet/read-sheet";
import { requireAccount } from "@/app/session";
import { MarketTime } from "@/components/market/market-clock";
import { StrengthView } from "@/components/strength/strength-view";
import { HEATMAP_TIMEFRAMES } from "@/lib/analytics/strength/heatmaps";
import { getRuntime } from "@/lib/runtime";
import "@/components/market/board.css";
import "@/components/strength/strength.css";

export const metadata: Metadata = { title: "Strength" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function StrengthPage({ searchParams }: Props) {
  const asked = (await searchParams).timeframe;
  const timeframe = HEATMAP_TIMEFRAMES.find((each) => each === asked);
  await requireAccount(timeframe === undefined ? "/strength" : `/strength?timeframe=${timeframe}`);
  const runtime = await getRuntime();
  const sheet = await readSheet(runtime, timeframe ?? "H4");
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Strength" runtime={runtime} />
      <StrengthView timeframes={HEATMAP_TIMEFRAMES} initial={sheet} />
    </MarketTime>
  );
}
