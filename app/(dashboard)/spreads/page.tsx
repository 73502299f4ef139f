import { redirect } from "next/navigation";
import { MarketTime } from "@/components/shared/market-clock";
import { LatePart } from "@/components/shell/try-again";
import { toAt, withAt } from "@/components/ui/past-address";
import { MarketHeader } from "@/features/quotes/market-header";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage, readSoon } from "@/features/session/page-parts";
import { readSpreadDetail, readSpreadLines, readSpreadTable } from "@/features/spreads/data";
import { SpreadDetail } from "@/features/spreads/spread-detail";
import { SpreadLines } from "@/features/spreads/spread-lines";
import { SpreadTable } from "@/features/spreads/spread-table";
import { SpreadWeek } from "@/features/spreads/spread-week";
import { SpreadsToolbar } from "@/features/spreads/spreads-toolbar";
import { readView, toViewHref } from "@/features/spreads/url";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";

export const generateMetadata = createMarketMetadata("Spreads");

type Params = Record<string, string | string[] | undefined>;

export default definePage("Spreads", async function SpreadsPage({ searchParams }: { searchParams: Promise<Params> }) {
  const params = await searchParams;
  const { runtime, isPast, refusal } = await openMarketPage({ title: "Spreads", path: "/spreads", params });
  if (refusal !== null) return refusal;
  const find = (spelling: string) => runtime.resolver.find(spelling)?.symbol;
  const view = readView(params, find);
  const added = typeof params.add === "string" ? params.add.trim() : "";
  // A reload of an address with `add` would add the symbol again.
  if (added !== "" && find(added) !== undefined)
    redirect(withAt(toViewHref(view), isPast ? toAt(runtime.marketNow()) : null));
  const instrument = instrumentBySymbol.get(view.selected) as Instrument;
  const [table, detail, lines] = await Promise.all([
    readSoon(runtime, readSpreadTable(runtime, view)),
    readSoon(runtime, readSpreadDetail(runtime, instrument, view.period)),
    readSoon(runtime, readSpreadLines(runtime, view)),
  ]);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())} isPast={isPast}>
      <MarketHeader title="Spreads" runtime={runtime} />
      <SpreadsToolbar view={view} unknown={added} />
      {table === null ? <LatePart what="The table of spreads" /> : <SpreadTable view={view} initial={table} />}
      {lines === null ? (
        <LatePart what="The lines of spreads" />
      ) : (
        <SpreadLines view={view} sources={detail?.sources.map(({ source }) => source) ?? []} initial={lines} />
      )}
      {detail === null ? (
        <LatePart what={`The spreads of ${view.selected}`} />
      ) : (
        <SpreadDetail key={`${view.selected} ${view.period}`} period={view.period} initial={detail} />
      )}
      <SpreadWeek view={view} />
    </MarketTime>
  );
});
