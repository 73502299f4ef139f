import type { Metadata } from "next";
import { MarketTime } from "@/components/shared/market-clock";
import { boardInstruments, readBoard } from "@/features/quotes/data";
import { MarketHeader } from "@/features/quotes/market-header";
import { QuoteBoard } from "@/features/quotes/quote-board";
import { readBoardChoice, toBoardHref } from "@/features/quotes/url";
import { toAddress } from "@/features/session/address";
import { requireAccount } from "@/features/session/session";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Quotes" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function QuotesPage({ searchParams }: Props) {
  const params = await searchParams;
  await requireAccount(toAddress("/quotes", params));
  const choice = readBoardChoice(params);
  const runtime = await getRuntime();
  const board = readBoard(runtime);
  return (
    <MarketTime initialMs={board.nowMs}>
      <MarketHeader title="Quotes" runtime={runtime} />
      <QuoteBoard key={toBoardHref(choice)} instruments={boardInstruments} initial={board.rows} choice={choice} />
    </MarketTime>
  );
}
