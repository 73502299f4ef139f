import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { MarketHeader } from "@/features/quotes/market-header";
import { requireAccount } from "@/features/session/session";
import { readHistory } from "@/features/ticks/data";
import { HistoryView } from "@/features/ticks/history-view";
import { readHistoryQuery } from "@/features/ticks/url";
import { instruments } from "@/lib/market/catalog";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Ticks & bars" };

const choices = instruments.map(({ symbol, name, category }) => ({ symbol, name, category }));

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function TicksPage({ searchParams }: Props) {
  const chosen = new URLSearchParams();
  for (const [name, value] of Object.entries(await searchParams)) {
    if (typeof value === "string") chosen.set(name, value);
  }
  const account = await requireAccount(chosen.size === 0 ? "/ticks" : `/ticks?${chosen}`);
  const runtime = await getRuntime();
  const query = readHistoryQuery(chosen, runtime.resolver) ?? readHistoryQuery(new URLSearchParams(), runtime.resolver);
  if (query === null) throw new Error("EURUSD is missing from the catalogue");
  const data = await readHistory(runtime, account, query);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Ticks & bars" runtime={runtime} />
      <HistoryView instruments={choices} kind={query.kind} fromMs={query.fromMs} initial={data} />
    </MarketTime>
  );
}
