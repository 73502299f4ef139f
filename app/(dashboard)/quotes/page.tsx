import { cookies } from "next/headers";
import { MarketTime } from "@/components/shared/market-clock";
import { LatePart } from "@/components/shell/try-again";
import { awaitDays, findFirst, listInstruments, readBoard, readFirstBoard } from "@/features/quotes/data";
import { MarketHeader } from "@/features/quotes/market-header";
import { readOwnLists } from "@/features/quotes/own-lists";
import { QuoteBoard } from "@/features/quotes/quote-board";
import { readBoardChoice } from "@/features/quotes/read-choice";
import { LOOK_COOKIE, toBoardHref } from "@/features/quotes/url";
import { createMarketMetadata, openMarketPage } from "@/features/session/market-page";
import { definePage, readSoon } from "@/features/session/page-parts";
import { DEFAULT_LIST } from "@/lib/access/quote-list";

export const generateMetadata = createMarketMetadata("Quotes");

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default definePage("Quotes", async function QuotesPage({ searchParams }: Props) {
  const params = await searchParams;
  const { account, runtime, isPast, refusal } = await openMarketPage({ title: "Quotes", path: "/quotes", params });
  if (refusal !== null) return refusal;
  const choice = readBoardChoice(params, (await cookies()).get(LOOK_COOKIE)?.value);
  const [saved] = await Promise.all([readSoon(runtime, readOwnLists(runtime, account)), awaitDays(runtime)]);
  // With this revision nothing is stored over the lists that could not be read.
  const lists = saved ?? { revision: -1, lists: [DEFAULT_LIST] };
  const board = isPast ? readBoard(runtime) : readFirstBoard(runtime, choice, lists.lists);
  return (
    <MarketTime initialMs={board.nowMs} isPast={isPast}>
      <MarketHeader title="Quotes" runtime={runtime} />
      {saved === null && <LatePart what="Your lists" />}
      <QuoteBoard
        key={`${toBoardHref(choice)} ${saved === null}`}
        listed={listInstruments()}
        initial={board}
        savedLists={lists}
        firstChoice={choice}
        firstSearch={findFirst(choice.search)}
      />
    </MarketTime>
  );
});
