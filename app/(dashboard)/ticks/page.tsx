import type { Metadata } from "next";
import { MarketHeader } from "@/app/(dashboard)/market-header";
import { readAsked } from "@/app/(dashboard)/ticks/sheet/asked";
import { readSheet } from "@/app/(dashboard)/ticks/sheet/read-sheet";
import { requireAccount } from "@/app/session";
import { HistoryView } from "@/components/history/history-view";
import { MarketTime } from "@/components/market/market-clock";
import { instruments } from "@/lib/market/catalog";
import { getRuntime } from "@/lib/runtime";
import "@/components/market/board.css";
import "@/components/history/history.css";

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
  const asked = readAsked(chosen, runtime.resolver) ?? readAsked(new URLSearchParams(), runtime.resolver);
  if (asked === null) throw new Error("The catalogue has lost EURUSD");
  const sheet = await readSheet(runtime, account, asked);
  return (
    <MarketTime initialMs={Math.floor(runtime.marketNow())}>
      <MarketHeader title="Ticks & bars" runtime={runtime} />
      <HistoryView instruments={choices} kind={asked.kind} fromMs={asked.fromMs} initial={sheet} />
    </MarketTime>
  );
}
