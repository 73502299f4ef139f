import { AlarmClock } from "lucide-react";
import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { MarketTime } from "@/components/shared/market-clock";
import { getButtonClass } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { MarketHeader } from "@/features/quotes/market-header";
import { toAddress, toSearch } from "@/features/session/address";
import { requireViewer } from "@/features/session/viewer";
import { decodePart, isUnknown, readChartChoice, resolveSpelling } from "@/features/symbols/read-choice";
import { readSymbolPage } from "@/features/symbols/read-page";
import { SymbolView } from "@/features/symbols/symbol-view";
import { getRuntime } from "@/lib/runtime";

interface Props {
  params: Promise<{ symbol: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  return { title: decodePart((await params).symbol).slice(0, 24) };
}

/** Any spelling leads to the page of its symbol. */
export default async function SymbolPage({ params, searchParams }: Props) {
  const [{ symbol: spelling }, given] = await Promise.all([params, searchParams]);
  const account = await requireViewer(toAddress(`/symbols/${spelling}`, given));
  const runtime = await getRuntime();
  const instrument = resolveSpelling(spelling, runtime.resolver);
  if (isUnknown(instrument)) notFound();
  if (instrument.symbol !== spelling) redirect(toAddress(`/symbols/${instrument.symbol}`, given));
  const choice = readChartChoice(toSearch(given), instrument.symbol, runtime.resolver);
  const page = await readSymbolPage(runtime, account, instrument, choice);
  return (
    <MarketTime initialMs={page.live.nowMs}>
      <MarketHeader title={`${instrument.symbol} · ${instrument.name}`} runtime={runtime}>
        <Link href={`/alerts?kind=price&symbol=${instrument.symbol}`} className={getButtonClass("secondary", "sm")}>
          <AlarmClock aria-hidden size={14} />
          Alert…
        </Link>
      </MarketHeader>
      <SymbolView key={instrument.symbol} {...page} />
    </MarketTime>
  );
}
