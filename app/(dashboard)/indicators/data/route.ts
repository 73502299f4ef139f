import { readSheet } from "@/features/indicators/data";
import { currentAccount } from "@/features/session/session";
import { signedOutAnswer } from "@/features/sign-in/signed-out";
import { instrumentBySymbol } from "@/lib/market/catalog";
import { TIMEFRAMES } from "@/lib/market/timeframe";
import { getRuntime } from "@/lib/runtime";

/** The sheet of one symbol at one timeframe, for a browser that keeps it fresh. */
export async function GET(request: Request): Promise<Response> {
  if ((await currentAccount()) === null) return signedOutAnswer();
  const asked = new URL(request.url).searchParams;
  const instrument = instrumentBySymbol.get(asked.get("symbol") ?? "");
  const timeframe = TIMEFRAMES.find((name) => name === asked.get("timeframe"));
  if (instrument === undefined || timeframe === undefined) {
    return Response.json({ error: "Unknown symbol or timeframe" }, { status: 404 });
  }
  const sheet = await readSheet(await getRuntime(), instrument, timeframe);
  return Response.json(sheet, { headers: { "Cache-Control": "no-store" } });
}
