import type { SourceBoard } from "@/features/quotes/source-board";
import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { bestPrice } from "@/lib/book/best-price";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { spreadPips } from "@/lib/market/price";
import { getRuntime } from "@/lib/runtime";

/** Every source's quote of one symbol, and the best of the live ones. */
export async function GET(_: Request, { params }: { params: Promise<{ symbol: string }> }): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  const { book, marketNow } = await getRuntime();
  const instrument = instrumentBySymbol.get((await params).symbol);
  if (instrument === undefined) return Response.json({ error: "Unknown symbol" }, { status: 404 });

  const { symbol, digits, pipSize } = instrument;
  const quotes = book.sources(symbol);
  const served = book.served(symbol);
  const best = served === undefined ? null : bestPrice(quotes, served, digits);
  const board: SourceBoard = {
    nowMs: Math.floor(marketNow()),
    served: served?.source ?? null,
    best: best && { bid: best.bid, ask: best.ask, spreadPips: spreadPips(best.bid, best.ask, pipSize) },
    sources: quotes.map(({ source, bid, ask, spreadPips: pips, timeMs, state }) => ({
      source,
      bid,
      ask,
      spreadPips: pips,
      timeMs,
      state,
    })),
  };
  return Response.json(board, { headers: { "Cache-Control": "no-store" } });
}
