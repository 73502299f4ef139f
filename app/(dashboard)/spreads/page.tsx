import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { MarketHeader } from "@/app/(dashboard)/market-header";
import { readSpreadDetail, readSpreadTable } from "@/app/(dashboard)/spreads/read-spreads";
import { requireAccount } from "@/app/session";
import { MarketTime } from "@/components/market/market-clock";
import { SpreadDetail } from "@/components/spreads/spread-detail";
import { SpreadTable } from "@/components/spreads/spread-table";
import { SpreadsToolbar } from "@/components/spreads/spreads-toolbar";
import { readView, viewHref } from "@/components/spreads/spreads-url";
import { instrumentBySymbol } from "@/lib/market/catalog";
import type { Instrument } from "@/lib/market/instrument";
import { getRuntime } from "@/lib/runtime";
import "@/components/market/board.css";
import "@/components/spreads/spreads.css";

export const metadata: Metadata = { title: "Spreads" };

type Params = Record<string, string | string[] | undefined>;

export default async function SpreadsPage({ searchParams }: { searchParams: Promise<Params> }) {
  await requireAccount("/spreads");
  const runtime = await getRuntime();
  const params = await searchParams;
  const find = (spelling: string) => runtime.resolver.find(spelling)?.symbol;
  const view = readView(params, find);
  const added = typeof params.add === "string" ? params.add.trim() : "";
  // An address with something to add would add it again when it is opened again.
  if (added !== "" && find(added) !== undefined) redirect(viewHref(view));
  const instrument = instrumentBySymbol.get(view.selected) as Instrument;
  const [table, detail] = await Promise.all([
    readSpreadTable(runtime, view.symbols, view.period),
    readSpreadDetail(runtime, instrument, view.period),
  ]);
  return (
    <MarketTime initialMs={table.nowMs}>
      <MarketHeader title="Spreads" runtime={runtime} />
      <SpreadsToolbar view={view} unknown={added} />
      <SpreadTable view={view} initial={table} />
      <SpreadDetail key={`${view.selected} ${view.period}`} period={view.period} initial={detail} />
    </MarketTime>
  );
}
