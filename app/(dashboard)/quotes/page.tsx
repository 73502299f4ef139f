import { cookies } from "next/headers";
import { MarketTime } from "@/components/shared/market-clock";
import { awaitDays, findFirst, listInstruments, readBoard, readFirstBoard } from "@/features/quotes/data";
import { MarketHeader } from "@/features/quotes/market-header";
import { readOwnLists } from "@/features/quotes/own-lists";
import { QuoteBoard } from "@/features/quotes/quote-board";
import { readBoardChoice } from "@/features/quotes/read-choice";
import { LOOK_COOKIE, toBoardHref } from "@/features/quotes/url";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";

export const generateMetadata = createMarketMetadata("Quotes");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function QuotesPage({ searchParams }: Props) {
  const params = await searchParams;
  const { account, runtime, isPast, refusal } = await openMarketPage({ title: "Quotes", path: "/quotes", params });
  if (refusal !== null) return refusal;
  const choice = readBoardChoice(params, (await cookies()).get(LOOK_COOKIE)?.value);
  const [lists] = await Promise.all([readOwnLists(runtime, account), awaitDays(runtime)]);
  const board = isPast ? readBoard(runtime) : readFirstBoard(runtime, choice, lists.lists);
  return (
    <MarketTime initialMs={board.nowMs} isPast={isPast}>
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
