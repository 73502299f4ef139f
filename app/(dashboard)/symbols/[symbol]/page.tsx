import { AlarmClock } from "lucide-react";
import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { MarketTime } from "@/components/shared/market-clock";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress, toSearch } from "@/features/session/address";
import { formatMarketTitle, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";
import { decodePart, isUnknown, readChartChoice, resolveSpelling } from "@/features/symbols/read-choice";
import { readSymbolPage } from "@/features/symbols/read-page";
import { SymbolView } from "@/features/symbols/symbol-view";
import { listReleaseCurrencies } from "@/lib/calendar/read-news";

interface Props {
  params: Promise<{ symbol: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  return { title: formatMarketTitle(decodePart((await params).symbol).slice(0, 24), await searchParams) };
}

/** Any spelling leads to the page of its symbol. */
export default definePage("Symbol", async function SymbolPage({ params, searchParams }: Props) {
  const [{ symbol: spelling }, given] = await Promise.all([params, searchParams]);
  const title = decodePart(spelling).slice(0, 24);
  const market = await openMarketPage({ title, path: `/symbols/${spelling}`, params: given });
  const { account, runtime, isPast, refusal } = market;
  if (refusal !== null) return refusal;
  const instrument = resolveSpelling(spelling, runtime.resolver);
  if (isUnknown(instrument)) notFound();
  if (instrument.symbol !== spelling) redirect(toAddress(`/symbols/${instrument.symbol}`, given));
  const choice = readChartChoice(toSearch(given), instrument.symbol, runtime.resolver);
  const page = await readSymbolPage(runtime, account, instrument, choice);
  return (
    <MarketTime initialMs={page.live.nowMs} isPast={isPast}>
      <MarketHeader
        title={`${instrument.symbol} · ${instrument.name}`}
        runtime={runtime}
        currencies={listReleaseCurrencies(instrument).join()}
      >
        <Link href={`/alerts?kind=price&symbol=${instrument.symbol}`} className={getButtonClass("secondary", "sm")}>
          <AlarmClock aria-hidden size={14} />
          Alert…
        </Link>
      </MarketHeader>
      <SymbolView key={instrument.symbol} {...page} />
    </MarketTime>
  );
});
