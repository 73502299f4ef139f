import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { readSpreadDetail } from "@/features/spreads/data";
import { readView } from "@/features/spreads/url";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { getRuntime } from "@/lib/runtime";

/** One symbol's spreads in full, over the period the query names. */
export async function GET(request: Request, { params }: { params: Promise<{ symbol: string }> }): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  const instrument = instrumentBySymbol.get((await params).symbol);
  if (instrument === undefined) return Response.json({ error: "Unknown symbol" }, { status: 404 });
  const { period } = readView(Object.fromEntries(new URL(request.url).searchParams), () => undefined);
  const detail = await readSpreadDetail(await getRuntime(), instrument, period);
  return Response.json(detail, { headers: { "Cache-Control": "no-store" } });
}
