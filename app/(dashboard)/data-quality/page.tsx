import { MarketTime } from "@/components/shared/market-clock";
import { readQualityPage } from "@/features/data-quality/data";
import { QualityDayView } from "@/features/data-quality/day-view";
import { MomentView } from "@/features/data-quality/moment-view";
import { MonthView, WorstList } from "@/features/data-quality/month-view";
import { QualityToolbar } from "@/features/data-quality/quality-toolbar";
import { readQualityView, toQualityHref } from "@/features/data-quality/url";
import { MarketHeader } from "@/features/quotes/market-header";
import { toSearch } from "@/features/session/address";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage } from "@/features/session/page-parts";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

export const generateMetadata = createMarketMetadata("Data quality");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** How complete and how right the recorded prices of a symbol are, by month, day and moment. */
export default definePage("Data quality", async function DataQualityPage({ searchParams }: Props) {
  const params = await searchParams;
  const market = await openMarketPage({ title: "Data quality", path: "/data-quality", params });
  const { runtime, account, isPast, refusal } = market;
  if (refusal !== null) return refusal;
  const find = (spelling: string) => runtime.resolver.find(spelling)?.symbol;
  const view = readQualityView(toSearch(params), runtime.marketNow(), find);
  const instrument = instrumentBySymbol.get(view.symbol) as Instrument;
  const data = await readQualityPage(runtime, account, view, instrument);
  const { moment, day } = data;
  return (
    <MarketTime initialMs={data.nowMs} isPast={isPast}>
      <MarketHeader title="Data quality" runtime={runtime} />
      <QualityToolbar view={view} name={instrument.name} />
      {moment !== null && view.source !== null && (
        <MomentView
          moment={moment}
          instrument={instrument}
          source={view.source}
          url={`${runtime.publicUrl}${toQualityHref(view)}`}
        />
      )}
      <MonthView view={view} data={data} />
      {day !== null && <QualityDayView view={view} day={day} instrument={instrument} />}
      <WorstList view={view} data={data} />
    </MarketTime>
  );
});
