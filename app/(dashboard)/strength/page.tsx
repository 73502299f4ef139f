import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress } from "@/features/session/address";
import { requireViewer } from "@/features/session/viewer";
import { readStrength } from "@/features/strength/data";
import { StrengthView } from "@/features/strength/strength-view";
import { readStrengthChoice } from "@/features/strength/url";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Strength" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function StrengthPage({ searchParams }: Props) {
  const params = await searchParams;
  await requireViewer(toAddress("/strength", params));
  const choice = readStrengthChoice(params);
  const runtime = await getRuntime();
  const data = await readStrength(runtime, choice.timeframe);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Strength" runtime={runtime} />
      <StrengthView choice={choice} initial={data} />
    </MarketTime>
  );
}
