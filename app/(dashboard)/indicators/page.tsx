import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { readIndicators } from "@/features/indicators/data";
import { IndicatorView } from "@/features/indicators/indicator-view";
import { MarketHeader } from "@/features/quotes/market-header";
import { requireAccount } from "@/features/session/session";
import { SUMMARY_BARS } from "@/lib/analytics/summary-values";
import { instrumentBySymbol, instruments } from "@/lib/market/catalog";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Indicators" };

const choices = instruments.map(({ symbol, name, category }) => ({ symbol, name, category }));

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function IndicatorsPage({ searchParams }: Props) {
  const { symbol, timeframe } = await searchParams;
  const chosen = new URLSearchParams();
  if (typeof symbol === "string") chosen.set("symbol", symbol);
  if (typeof timeframe === "string") chosen.set("timeframe", timeframe);
  await requireAccount(chosen.size === 0 ? "/indicators" : `/indicators?${chosen}`);
  const runtime = await getRuntime();
  const instrument = runtime.resolver.find(chosen.get("symbol") ?? "") ?? instrumentBySymbol.get("EURUSD");
  if (instrument === undefined) throw new Error("EURUSD is missing from the catalogue");
  const data = await readIndicators(runtime, instrument, TIMEFRAMES.find((name) => name === timeframe) ?? "H1");
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Indicators" runtime={runtime} />
      <IndicatorView instruments={choices} initial={data} summaryBars={SUMMARY_BARS} />
    </MarketTime>
  );
}
