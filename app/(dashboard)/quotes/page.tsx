import type { Metadata } from "next";
import { cookies } from "next/headers";
import { MarketTime } from "@/components/shared/market-clock";
import { awaitDays, findFirst, listInstruments, readFirstBoard } from "@/features/quotes/data";
import { MarketHeader } from "@/features/quotes/market-header";
import { readOwnLists } from "@/features/quotes/own-lists";
import { QuoteBoard } from "@/features/quotes/quote-board";
import { readBoardChoice } from "@/features/quotes/read-choice";
import { LOOK_COOKIE, toBoardHref } from "@/features/quotes/url";
import { toAddress } from "@/features/session/address";
import { requireViewer } from "@/features/session/viewer";
import { getRuntime } from "@/lib/runtime";

export const metadata: Metadata = { title: "Quotes" };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function QuotesPage({ searchParams }: Props) {
  const params = await searchParams;
  const account = await requireViewer(toAddress("/quotes", params));
  const choice = readBoardChoice(params, (await cookies()).get(LOOK_COOKIE)?.value);
  const runtime = await getRuntime();
  const [lists] = await Promise.all([readOwnLists(runtime, account), awaitDays(runtime)]);
  const board = readFirstBoard(runtime, choice, lists.lists);
  return (
    <MarketTime initialMs={board.nowMs}>
      <MarketHeader title="Quotes" runtime={runtime} />
      <QuoteBoard
        key={toBoardHref(choice)}
        listed={listInstruments()}
        initial={board}
        savedLists={lists}
        firstChoice={choice}
        firstSearch={findFirst(choice.search)}
      />
    </MarketTime>
  );
}
