import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { boardInstruments, readBoard } from "@/features/quotes/data";
import { MarketHeader } from "@/features/quotes/market-header";
import { QuoteBoard } from "@/features/quotes/quote-board";
import { requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Quotes" };

export default async function QuotesPage() {
  await requireAccount("/quotes");
  const runtime = await getRuntime();
  const board = readBoard(runtime);
  return (
    <MarketTime initialMs={board.nowMs}>
      <MarketHeader title="Quotes" runtime={runtime} />
      <QuoteBoard instruments={boardInstruments} initial={board.rows} />
    </MarketTime>
  );
}
