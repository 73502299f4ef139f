import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { MarketHeader } from "@/features/quotes/market-header";
import { requireAccount } from "@/features/session/session";
import { readSheet } from "@/features/ticks/data";
import { HistoryView } from "@/features/ticks/history-view";
import { readAsked } from "@/features/ticks/query";
import { instruments } from "@/lib/market/catalog";
import { getRuntime } from "@/lib/runtime";

import "@/features/quotes/board.css";
import "@/features/ticks/history.css";

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
