import type { Metadata } from "next";
import { MarketHeader } from "@/app/(dashboard)/market-header";
import { boardInstruments, readBoard } from "@/app/(dashboard)/quotes/board";
import { requireAccount } from "@/app/session";
import { MarketTime } from "@/components/market/market-clock";
import { QuoteBoard } from "@/components/market/quote-board";
import { getRuntime } from "@/lib/runtime";
import "@/components/market/board.css";

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
